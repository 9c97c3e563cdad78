/* Compiled functions compute the same as their sources on the host, with any number of registers and every allocation.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "golden.h"
#include "interpreter.h"

#include "mixed.c"

static struct sl_object64 compiled(const char *name, unsigned registers, enum sl_allocation allocation,
                                   struct sl_backend_notes *notes)
{
  size_t size;
  char *text = golden_text(name, &size);
  struct sl_backend_options options = sl_backend_defaults();
  options.registers = registers;
  options.allocation = allocation;
  options.assembler.assemble = assemble_csrr;
  struct sl_object64 object = {0};
  struct sl_error err = {0};
  if (sl_compile_mir(name, text, size, &options, &object, notes, &err) != SL_OK)
    fail_msg("%s", err.text);
  for (size_t i = 0; i < notes->function_count; i++)
    if (notes->function[i].refusal != NULL && registers >= 32)
      fail_msg("%s: %s", notes->function[i].name, notes->function[i].refusal);
  free(text);
  return object;
}

static const struct {
  unsigned registers;
  enum sl_allocation allocation;
} modes[] = {{32, SL_UNAWARE},    {32, SL_FIRST_FIT},  {32, SL_COST},   {64, SL_UNAWARE}, {64, SL_COST},
             {128, SL_UNAWARE},   {128, SL_FIRST_FIT}, {128, SL_COST},  {256, SL_COST},   {40, SL_FIRST_FIT},
             {256, SL_FIRST_FIT}, {24, SL_COST},       {18, SL_UNAWARE}};

static void check(struct interpreter *in, const char *name, uint32_t wanted, uint32_t got)
{
  if (in->wrong != NULL || wanted != got)
    fail_msg("%s gives %08x, not %08x; %s", name, got, wanted, in->wrong != NULL ? in->wrong : "");
}

static void unary_functions(struct interpreter *in)
{
  static const struct {
    const char *name;
    int32_t (*host)(int32_t);
  } functions[] = {{"fibonacci", fibonacci},   {"variadic", variadic}, {"variable_length", variable_length},
                   {"structures", structures}, {"pairs", pairs},       {"many_arguments", many_arguments},
                   {"pointers", pointers},     {"aligned", aligned},   {"pressure", pressure}};
  for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++)
    for (int32_t x = 1; x < 8; x++) {
      in->x[10] = (uint32_t)x;
      const uint32_t got = run(in, functions[f].name);
      check(in, functions[f].name, (uint32_t)functions[f].host(x), got);
    }
}

static void other_functions(struct interpreter *in)
{
  for (int32_t what = -1; what < 10; what++) {
    in->x[10] = (uint32_t)what;
    in->x[11] = 100;
    const uint32_t got = run(in, "choose");
    check(in, "choose", (uint32_t)choose(what, 100), got);
  }
  in->x[10] = in->x[11] = 2;
  uint32_t got = run(in, "ackermann");
  check(in, "ackermann", (uint32_t)ackermann(2, 2), got);
  const int64_t a = 0x123456789abcdef, b = -987654321012345;
  in->x[10] = (uint32_t)a;
  in->x[11] = (uint32_t)(a >> 32);
  in->x[12] = (uint32_t)b;
  in->x[13] = (uint32_t)((uint64_t)b >> 32);
  got = run(in, "multiply");
  const uint64_t product = (uint64_t)multiply(a, b);
  check(in, "multiply", (uint32_t)product, got);
  check(in, "multiply, upper half", (uint32_t)(product >> 32), in->x[11]);
  in->x[10] = 0xf00dcafe;
  got = run(in, "bits");
  check(in, "bits", bits(0xf00dcafe), got);
  in->x[10] = 41;
  got = run(in, "atomics");
  check(in, "atomics", atomics(41), got);
  const float x = 1.25f, y = -3.5f, z = floats(x, y);
  uint32_t pattern;
  memcpy(&in->x[10], &x, 4);
  memcpy(&in->x[11], &y, 4);
  got = run(in, "floats");
  memcpy(&pattern, &z, 4);
  check(in, "floats", pattern, got);
}

static void arrays(struct interpreter *in)
{
  int32_t array[100];
  for (int i = 0; i < 100; i++)
    array[i] = (i * 7919) % 1000 - 500;
  memcpy(in->memory + DATA, array, sizeof array);
  in->x[10] = DATA;
  in->x[11] = 100;
  run(in, "sort");
  sort(array, 100);
  check(in, "sort", 0, (uint32_t)memcmp(in->memory + DATA, array, sizeof array));
  memcpy(in->memory + DATA, "twelve bytes", 13);
  in->x[10] = DATA;
  const uint32_t got = run(in, "string_length");
  check(in, "string_length", 12, got);
}

static void mixed_functions_equal_the_host(void **state)
{
  (void)state;
  for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
    struct sl_backend_notes notes;
    struct sl_object64 object = compiled("mixed", modes[m].registers, modes[m].allocation, &notes);
    if (modes[m].registers >= 18) {
      struct interpreter in;
      interpreter_init(&in, &object);
      unary_functions(&in);
      other_functions(&in);
      arrays(&in);
      interpreter_free(&in);
    }
    sl_backend_notes_free(&notes);
    sl_object64_free(&object);
  }
}

/* Fills A and B with small, different numbers. */
static void fill(struct interpreter *in)
{
  for (uint32_t i = 0; i < FAR / 4; i++) {
    const uint32_t a = i * 2654435761u, b = i * 40503u + 7;
    memcpy(in->far[0] + 4 * i, &a, 4);
    memcpy(in->far[1] + 4 * i, &b, 4);
  }
}

static uint32_t word(const uint8_t *array, uint32_t i)
{
  uint32_t value;
  memcpy(&value, array + 4 * i, 4);
  return value;
}

static void check_product(struct interpreter *in)
{
  for (uint32_t row = 0; row < 64; row++)
    for (uint32_t column = 0; column < 64; column++) {
      uint32_t sum = 0;
      for (uint32_t k = 0; k < 64; k++)
        sum += word(in->far[0], row * 64 + k) * word(in->far[1], column * 64 + k);
      assert_int_equal(word(in->far[2], row * 64 + column), sum);
    }
}

static void kernels_compute_products_and_sums(void **state)
{
  (void)state;
  for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
    static const char *const names[] = {"gemm", "gemm8", "vecadd"};
    static const uint32_t threads[] = {16, 16, 16};
    for (size_t k = 0; k < 3; k++) {
      struct sl_backend_notes notes;
      struct sl_object64 object = compiled(names[k], modes[m].registers, modes[m].allocation, &notes);
      struct interpreter in;
      interpreter_init(&in, &object);
      fill(&in);
      for (in.thread = 0; in.thread < threads[k] && in.wrong == NULL; in.thread++) {
        const uint32_t arguments[] = {0xc0000000, 0xa0000000, 0xa1000000, in.thread};
        memcpy(&in.x[10], arguments, sizeof arguments);
        run(&in, names[k]);
      }
      if (in.wrong != NULL)
        fail_msg("%s: %s", names[k], in.wrong);
      if (k < 2)
        check_product(&in);
      for (uint32_t i = 0; k == 2 && i < 2048; i++)
        assert_int_equal(word(in.far[2], i), word(in.far[0], i) + word(in.far[1], i));
      interpreter_free(&in);
      sl_backend_notes_free(&notes);
      sl_object64_free(&object);
    }
  }
}

static void fused_multiply_adds_equal_the_host(void **state)
{
  (void)state;
  static float a[36 * 36], b[36 * 36], c[36 * 36];
  for (int i = 0; i < 36 * 36; i++) {
    a[i] = (float)(i % 97) * 0.37f - 12;
    b[i] = (float)(i % 89) * 1.13f + 0.01f;
  }
  struct sl_backend_notes notes;
  struct sl_object64 object = compiled("gemm6f", 128, SL_COST, &notes);
  struct interpreter in;
  interpreter_init(&in, &object);
  memcpy(in.far[0], a, sizeof a);
  memcpy(in.far[1], b, sizeof b);
  for (uint32_t thread = 0; thread < 36; thread++) {
    const uint32_t arguments[] = {0xc0000000, 0xa0000000, 0xa1000000, thread};
    memcpy(&in.x[10], arguments, sizeof arguments);
    run(&in, "gemm6f");
  }
  for (int i = 0; i < 36 * 36; i++)
    for (int k = 0; k < 36; k++)
      c[i] = fmaf(a[i / 36 * 36 + k], b[i % 36 * 36 + k], c[i]);
  assert_null(in.wrong);
  assert_memory_equal(in.far[2], c, sizeof c);
  interpreter_free(&in);
  sl_backend_notes_free(&notes);
  sl_object64_free(&object);
}

#define REGISTER(n) "  - { id: " #n ", class: gpr }\n"
#define CALL "    $x12 = COPY $x0\n    PseudoCALL target-flags(riscv-call) &memset, csr_ilp32_lp64, implicit $x12\n"

/* %1 is 77 in one block, where it is live over calls together with more values than two saved registers hold, and
 * another value in another block: it is not constant at their join. */
static const char joined[] =
    "---\nname: joined\nregisters:\n" REGISTER(0) REGISTER(1) REGISTER(2) REGISTER(3) REGISTER(4) REGISTER(5) REGISTER(
        6) "body: |\n"
           "  bb.0:\n    successors: %bb.1(0x40000000), %bb.2(0x40000000)\n"
           "    %0:gpr = COPY $x10\n    %2:gpr = ADDI %0, 100\n    %3:gpr = SLLI %0, 4\n    %4:gpr = XORI %0, 85\n"
           "    BNE %0, $x0, %bb.2\n"
           "  bb.1:\n    successors: %bb.3(0x80000000)\n"
           "    %1:gpr = ADDI $x0, 77\n" CALL "    %5:gpr = ADD %1, %2\n" CALL "    %3:gpr = ADD %5, %3\n"
           "    PseudoBR %bb.3\n"
           "  bb.2:\n    successors: %bb.3(0x80000000)\n"
           "    %1:gpr = ADDI %0, 5\n" CALL "    %2:gpr = ADD %1, %2\n" CALL
           "  bb.3:\n    %6:gpr = MUL %1, %3\n    %6:gpr = ADD %6, %2\n    %6:gpr = SUB %6, %4\n"
           "    %6:gpr = XOR %6, %4\n    %6:gpr = ADD %6, %4\n    %6:gpr = XOR %6, %4\n    %6:gpr = ADD %6, %4\n"
           "    %6:gpr = XOR %6, %0\n    %6:gpr = ADD %6, %0\n    %6:gpr = XOR %6, %0\n    $x10 = ADD %6, %0\n"
           "    PseudoRET implicit $x10\n...\n";

static uint32_t joined_here(uint32_t x)
{
  uint32_t one, two = x + 100, three = x << 4;
  const uint32_t four = x ^ 85;
  if (x != 0) {
    one = x + 5;
    two += one;
  } else {
    one = 77;
    three += one + two;
  }
  const uint32_t sum = ((((one * three + two - four) ^ four) + four) ^ four) + four;
  return (((sum ^ x) + x) ^ x) + x;
}

static void a_constant_of_one_predecessor_is_not_constant_at_a_join(void **state)
{
  (void)state;
  for (unsigned allocation = 0; allocation < SL_ALLOCATIONS; allocation++) {
    struct sl_backend_options options = sl_backend_defaults();
    struct sl_backend_notes notes;
    struct sl_object64 object;
    struct sl_error err = {0};
    options.registers = 16;
    options.allocation = (enum sl_allocation)allocation;
    if (sl_compile_mir("joined", joined, strlen(joined), &options, &object, &notes, &err) != SL_OK)
      fail_msg("%s", err.text);
    assert_null(notes.function[0].refusal);
    assert_true(notes.function[0].facts.slots > 0);
    struct interpreter in;
    interpreter_init(&in, &object);
    for (uint32_t x = 0; x < 4; x++) {
      in.x[10] = x;
      const uint32_t got = run(&in, "joined");
      check(&in, "joined", joined_here(x), got);
    }
    interpreter_free(&in);
    sl_backend_notes_free(&notes);
    sl_object64_free(&object);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mixed_functions_equal_the_host),
      cmocka_unit_test(kernels_compute_products_and_sums),
      cmocka_unit_test(a_constant_of_one_predecessor_is_not_constant_at_a_join),
      cmocka_unit_test(fused_multiply_adds_equal_the_host),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
