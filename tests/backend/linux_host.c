/* Support for running a program with stock picolibc under qemu-riscv32 as a Linux process: entry, zeroed thread-local
 * storage, output, end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int main(void);

static long call(long number, long a, long b, long c)
{
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
  return a0;
}

static int put(char c, FILE *file)
{
  (void)file;
  return call(64, 1, (long)&c, 1) == 1 ? (unsigned char)c : EOF;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &console, *const stderr = &console;

void _exit(int status)
{
  for (;;)
    call(93, status, 0, 0);
}

static char threads[4096] __attribute__((aligned(16)));

__attribute__((used)) static void begin(void)
{
  exit(main());
}

__attribute__((naked)) void _start(void)
{
  __asm__ volatile(".option push\n.option norelax\nla gp, __global_pointer$\n.option pop\nla tp, %0\nj %1"
                   :
                   : "i"(threads), "i"(begin));
}
