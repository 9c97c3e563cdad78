#include <simt.h>
SIMT_KERNEL(stay, (unsigned *, out))
{
  (void)out;
  __asm__ volatile("li s2, 7\n li s3, 1\n"
    ".globl here\nhere: beqz s4, here\n"
    "li s3, 2\n.globl there\nthere: add s2, s2, s3\n"
    "csrr t0, 0xf14\n slli t0, t0, 2\n add t0, t0, %0\n sw s2, (t0)\n"
    : : "r"(out) : "s2", "s3", "s4", "t0", "memory");
}
int main(void) { return 0; }
