/* Whole programs with the stock C library: translated, linked, and interpreted word by word; they print the same as the
 * same source on the host. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/isa64/link/link64.h"
#include "compiler/isa64/rv32/rv32_object.h"
#include "cross.h"
#include "wide_interpreter.h"

/* Support for thread-local storage, constructors and the console; the C library requires the rest. */
static const char start[] = "        .section .text.start, \"ax\", @progbits\n"
                            "        .globl _start\n"
                            "        .type _start, @function\n"
                            "_start: li sp, 0xfffe0000\n"
                            "        lla gp, __global_pointer$\n"
                            "        lla tp, __tls_first\n"
                            "        lla t0, __tdata_start\n"
                            "        lla t1, __tdata_end\n"
                            "        mv t2, tp\n"
                            "1:      bgeu t0, t1, 2f\n"
                            "        lw t3, 0(t0)\n"
                            "        sw t3, 0(t2)\n"
                            "        addi t0, t0, 4\n"
                            "        addi t2, t2, 4\n"
                            "        j 1b\n"
                            "2:      call __libc_init_array\n"
                            "        call main\n"
                            "        sw a0, 0x88(zero)\n"
                            "        .size _start, . - _start\n";

static const char console[] = "#include <stdio.h>\n"
                              "#include <stdint.h>\n"
                              "static int put(char c, FILE *f) { (void)f; *(volatile char *)0x40 = c; return c; }\n"
                              "static FILE file = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);\n"
                              "FILE *const stdout = &file;\n"
                              "FILE *const stderr = &file;\n"
                              "static char heap[65536];\n"
                              "static unsigned used;\n"
                              "void *sbrk(intptr_t n) { void *p = heap + used; used += (unsigned)n; return p; }\n"
                              "void _exit(int code) { *(volatile int *)0x88 = code; for (;;) {} }\n";

static const char program[] =
    "#include <math.h>\n"
    "#include <stdarg.h>\n"
    "#include <stdint.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "_Thread_local int counted = 7; _Thread_local int zero; static int order; int common_one;\n"
    "__attribute__((weak)) int missing(void);\n"
    "__attribute__((weak)) int answer(void) { return 41; }\n"
    "__attribute__((constructor)) static void late(void) { order = order * 10 + 2; }\n"
    "__attribute__((constructor(200))) static void early(void) { order = order * 10 + 1; }\n"
    "static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n"
    "static int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); va_end(l);\n"
    "  return s; }\n"
    "static __attribute__((noinline)) const char *name(int i) { switch (i) { case 0: return \"zero\"; case 1: return "
    "\"one\";\n"
    "  case 2: return \"two\"; case 3: return \"three\"; case 4: return \"four\"; case 5: return \"five\"; case 7: "
    "return\n"
    "  \"seven\"; default: return \"many\"; } }\n"
    "static __attribute__((noinline)) int act(int i, int x) { switch (i) { case 0: return x + 1; case 1: return x * "
    "3;\n"
    "  case 2: return x - 9; case 3: return x << 2; case 4: return x / 3; case 5: return ~x; case 6: return x % 11;\n"
    "  default: return 0; } }\n"
    "static int (*const table[])(int, int) = {act, act};\n"
    "static __attribute__((noinline)) uint64_t power(uint64_t x, int n) { return n == 0 ? 1 : n % 2 ? x * power(x, n - "
    "1)\n"
    "  : power(x * x, n / 2); }\n"
    "int main(void)\n"
    "{\n"
    "  int v[40];\n"
    "  for (int i = 0; i < 40; i++) v[i] = (i * 7919 + 13) % 101 - 50;\n"
    "  qsort(v, 40, sizeof v[0], compare);\n"
    "  for (int i = 0; i < 40; i++) printf(\"%d%c\", v[i], i % 10 == 9 ? '\\n' : ' ');\n"
    "  for (int i = 0; i < 9; i++) printf(\"%s %d \", name(i), table[i % 2](i, 100 - i));\n"
    "  printf(\"\\n%s %5d %-5u| %08x %c %%\\n\", \"text\", -42, 42u, 0xbeefu, 'x');\n"
    "  printf(\"%.6f %e %g\\n\", 3.25 / 7.0, 1e100 * 3, 1.0 / 1024);\n"
    "  for (int i = 0; i < 8; i++) printf(\"%.5f \", (double)sinf(0.4f * (float)i));\n"
    "  printf(\"\\n%.6f %.6f\\n\", sqrt(2.0), (double)(1.5f * 2.25f + 0.125f));\n"
    "  printf(\"%llu %lld %llx\\n\", (unsigned long long)power(3, 40), -1234567890123456789ll / 1000003,\n"
    "         (unsigned long long)power(7, 20) >> 5);\n"
    "  counted += 3; zero += 2; common_one = 9;\n"
    "  printf(\"%d %d %d %d %d %d\\n\", counted, zero, order, common_one, answer(), missing != NULL);\n"
    "  printf(\"%d\\n\", sum(5, 1, 20, 300, 4000, 50000));\n"
    "  char *copy = malloc(100); strcpy(copy, \"copied\"); printf(\"%s %u\\n\", copy, (unsigned)strlen(copy)); "
    "free(copy);\n"
    "  return 0;\n"
    "}\n";

static const char other[] = "int answer(void); int answer(void) { return 42; }\nint common_one;\n";

enum { MOST_STEPS = 3000000, OBJECTS = 4, ARCHIVES = 3 };

struct inputs {
  struct sl_object64 objects[OBJECTS];
  struct sl_rv32_archive archives[ARCHIVES];
};

static void succeed(enum sl_status code, const struct sl_error *err)
{
  if (code != SL_OK)
    fail_msg("%s", err->text);
}

static void read_inputs(const struct cross *c, struct inputs *in)
{
  static const char *const objects[OBJECTS] = {"start.o", "program.o", "other.o", "console.o"};
  static const char *const archives[ARCHIVES] = {CROSS_PICOLIBC "/lib/rv32im/ilp32/libc.a",
                                                 CROSS_PICOLIBC "/lib/rv32im/ilp32/libm.a", "libgcc.a"};
  char path[2 * CROSS_PATH];
  struct sl_error err;
  for (unsigned i = 0; i < OBJECTS; i++)
    succeed(sl_rv32_object_read(cross_path(c, objects[i], path), &in->objects[i], &err), &err);
  for (unsigned i = 0; i < ARCHIVES; i++)
    succeed(sl_rv32_archive_read(archives[i][0] == '/' ? archives[i] : cross_path(c, archives[i], path),
                                 &in->archives[i], &err),
            &err);
}

static void free_inputs(struct inputs *in)
{
  for (unsigned i = 0; i < OBJECTS; i++)
    sl_object64_free(&in->objects[i]);
  for (unsigned i = 0; i < ARCHIVES; i++)
    sl_rv32_archive_free(&in->archives[i]);
}

static void read_text(const char *path, char *text, size_t size)
{
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, size - 1, file)] = '\0';
  fclose(file);
}

/* `compile` makes program.o of program.c. */
static void prints_what_the_host_prints(const char *compile)
{
  struct cross c;
  struct inputs in = {0};
  char command[1024], expected[8192], path[2 * CROSS_PATH];
  cross_open(&c);
  cross_write(&c, "start.S", start);
  cross_write(&c, "console.c", console);
  cross_write(&c, "program.c", program);
  cross_write(&c, "other.c", other);
  cross_run(&c, "cc -O1 -fcommon program.c other.c -o host -lm && ./host >expected");
  cross_run(&c, CROSS_GCC " " CROSS_RV32IM " -c start.S && cp $(" CROSS_GCC " " CROSS_RV32IM
                          " -print-libgcc-file-name) libgcc.a");
  snprintf(command, sizeof command,
           "for f in program other console; do %s -g -O2 -fcommon -ffunction-sections -fdata-sections "
           "-isystem " CROSS_PICOLIBC "/include -c $f.c || exit 1; done",
           compile);
  cross_run(&c, command);
  read_inputs(&c, &in);

  const char *defsyms[] = {"limit=0x1234"};
  const struct sl_link64_options options = {.registers = 32,
                                            .banks = 4,
                                            .defsyms = defsyms,
                                            .defsym_count = 1,
                                            .archives = in.archives,
                                            .archive_count = ARCHIVES};
  struct sl_error err;
  struct sl_program *linked;
  succeed(sl_link64(&options, in.objects, OBJECTS, cross_path(&c, "linked.elf", path), &err), &err);
  succeed(sl_program_load(path, &linked, &err), &err);
  static struct wide_machine m;
  assert_true(wide_load_program(&m, linked));
  wide_run(&m, MOST_STEPS);
  read_text(cross_path(&c, "expected", path), expected, sizeof expected);
  if (m.stopped != NULL) {
    char where[256];
    sl_location_format(linked, m.pc, where, sizeof where);
    fail_msg("%s near 0x%08x, %s, having printed \"%s\"", m.stopped, (unsigned)m.pc, where, m.printed);
  }
  assert_string_equal(m.printed, expected);
  assert_int_equal(m.exit_code, 0);
  wide_free(&m);
  sl_program_free(linked);
  free_inputs(&in);
  cross_close(&c);
}

static void a_program_of_gcc_prints_what_the_host_prints(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC) || !cross_has("cc"))
    skip();
  prints_what_the_host_prints(CROSS_GCC " " CROSS_RV32IM);
}

/* Single precision in the integer registers, double precision by the library. */
static void a_program_of_clang_prints_what_the_host_prints(void **state)
{
  (void)state;
  if (!cross_has(CROSS_GCC) || !cross_has(CROSS_CLANG) || !cross_has("cc"))
    skip();
  prints_what_the_host_prints(CROSS_CLANG " " CROSS_ZFINX);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_program_of_gcc_prints_what_the_host_prints),
      cmocka_unit_test(a_program_of_clang_prints_what_the_host_prints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
