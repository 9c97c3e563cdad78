/* x86-64 JIT code (func/jit/x86.h) as GNU objdump reads it: every form, with registers and displacements whose bits
 * have different places in the encoding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "func/jit/emit_block.h"

static const struct sl_x86_vector compare_words = {3, 1, 0x1f}, test_words = {2, 1, 0x27};

enum { IS_LESS = 1, IS_UNEQUAL = 4 };

enum { ROOM = 1 << 16, LINES = 512, LINE = 128 };

struct listing {
  uint8_t code[ROOM];
  struct sl_x86 x;
  char expected[LINES][LINE];
  unsigned lines;
};

static const char *const names32[] = {"eax", "ecx", "edx",  "ebx",  "esp",  "ebp",  "esi",  "edi",
                                      "r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"};
static const char *const names64[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                      "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};

static void __attribute__((format(printf, 2, 3))) expect(struct listing *t, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  assert_true(t->lines < LINES);
  vsnprintf(t->expected[t->lines++], LINE, format, args);
  va_end(args);
}

/* One space between words, none at the end, no comment. */
static void normalise(char *line)
{
  char *to = line;
  line[strcspn(line, "#<\n")] = '\0';
  for (const char *from = line; *from; from++)
    if (*from != ' ' && *from != '\t')
      *to++ = *from;
    else if (to > line && to[-1] != ' ')
      *to++ = ' ';
  while (to > line && to[-1] == ' ')
    to--;
  *to = '\0';
}

/* Compares objdump's listing with the expected one, line by line. */
static void compare(const struct listing *t)
{
  char path[] = "/tmp/simtlab-x86-XXXXXX", command[128], line[LINE];
  const int file = mkstemp(path);
  assert_true(file >= 0 && !t->x.full);
  assert_int_equal(write(file, t->code, t->x.used), (int)t->x.used);
  close(file);
  snprintf(command, sizeof command, "objdump -D -b binary -m i386:x86-64 -M intel --no-show-raw-insn %s", path);
  FILE *read = popen(command, "r");
  assert_non_null(read);
  unsigned seen = 0;
  while (fgets(line, sizeof line, read) != NULL) {
    char *text = strstr(line, ":\t");
    if (line[0] != ' ' || text == NULL)
      continue;
    normalise(text += 2);
    text += strncmp(text, "{evex} ", 7) == 0 ? 7 : 0; /* although a shorter encoding exists */
    assert_true(seen < t->lines);
    assert_string_equal(text, t->expected[seen++]);
  }
  pclose(read);
  unlink(path);
  assert_int_equal(seen, t->lines);
}

static struct listing *start(void)
{
  static struct listing t;
  t = (struct listing){.x = {.code = t.code, .room = ROOM}};
  return &t;
}

static void integers(void **state)
{
  (void)state;
  struct listing *t = start();
  struct sl_x86 *x = &t->x;
  static const enum sl_x86_register some[] = {SL_RAX, SL_RDX, SL_RSP, SL_RBP, SL_RDI, SL_R12, SL_R13, SL_R15};
  for (unsigned i = 0; i < 8; i++) {
    const enum sl_x86_register a = some[i], b = some[(i * 3 + 1) % 8];
    sl_x86_move(x, a, b), expect(t, "mov %s,%s", names32[a], names32[b]);
    sl_x86_move_wide(x, a, b), expect(t, "mov %s,%s", names64[a], names64[b]);
    sl_x86_move_number(x, a, 0x12345678), expect(t, "mov %s,0x12345678", names32[a]);
    sl_x86_move_address(x, a, 0x1122334455667788), expect(t, "movabs %s,0x1122334455667788", names64[a]);
    sl_x86_load(x, a, sl_x86_at(b, 0x10)), expect(t, "mov %s,DWORD PTR [%s+0x10]", names32[a], names64[b]);
    sl_x86_load_wide(x, a, sl_x86_at(b, 0x1234)), expect(t, "mov %s,QWORD PTR [%s+0x1234]", names64[a], names64[b]);
    sl_x86_store_wide(x, sl_x86_at(b, 8), a), expect(t, "mov QWORD PTR [%s+0x8],%s", names64[b], names64[a]);
    sl_x86_load_address(x, a, sl_x86_at(b, 0x7c)), expect(t, "lea %s,[%s+0x7c]", names32[a], names64[b]);
    sl_x86_binary(x, SL_X86_CMP, a, b), expect(t, "cmp %s,%s", names32[a], names32[b]);
    sl_x86_binary(x, SL_X86_SUB, a, b), expect(t, "sub %s,%s", names32[a], names32[b]);
    sl_x86_binary_place(x, SL_X86_OR, a, sl_x86_at(b, 0x300));
    expect(t, "or %s,DWORD PTR [%s+0x300]", names32[a], names64[b]);
    sl_x86_binary_number(x, SL_X86_ADD, a, 4), expect(t, "add %s,0x4", names32[a]);
    sl_x86_binary_number(x, SL_X86_XOR, a, 0x7fff0000);
    expect(t, "xor %s,0x7fff0000", names32[a]);
    sl_x86_add_wide(x, a, -4096), expect(t, "add %s,0xfffffffffffff000", names64[a]);
    sl_x86_shift_left(x, a, 13), expect(t, "shl %s,0xd", names32[a]);
    sl_x86_shift_right(x, a, 16), expect(t, "shr %s,0x10", names32[a]);
    sl_x86_test_bits(x, a, 3), expect(t, "test %s,0x3", names32[a]);
    sl_x86_add_registers_wide(x, a, b), expect(t, "add %s,%s", names64[a], names64[b]);
    sl_x86_lowest_bit(x, a, b), expect(t, "bsf %s,%s", names32[a], names32[b]);
    sl_x86_load_unit(x, a, sl_x86_at(b, 8), 1, true);
    expect(t, "movsx %s,BYTE PTR [%s+0x8]", names32[a], names64[b]);
    sl_x86_load_unit(x, a, sl_x86_indexed(b, SL_RCX, 8), 2, false);
    expect(t, "movzx %s,WORD PTR [%s+rcx*1+0x8]", names32[a], names64[b]);
    sl_x86_store_unit(x, sl_x86_at(b, 8), a, 4), expect(t, "mov DWORD PTR [%s+0x8],%s", names64[b], names32[a]);
    sl_x86_store_unit(x, sl_x86_at(b, 8), SL_RDX, 2), expect(t, "mov WORD PTR [%s+0x8],dx", names64[b]);
    sl_x86_store_unit(x, sl_x86_indexed(b, SL_RAX, 8), SL_RDX, 1);
    expect(t, "mov BYTE PTR [%s+rax*1+0x8],dl", names64[b]);
    sl_x86_low_half(x, a, SL_RAX), expect(t, "movzx %s,ax", names32[a]);
    sl_x86_shift_by_cl(x, SL_X86_LEFT, a), expect(t, "shl %s,cl", names32[a]);
    sl_x86_shift_by_cl(x, SL_X86_RIGHT, a), expect(t, "shr %s,cl", names32[a]);
    sl_x86_shift_by(x, SL_X86_RIGHT_SIGNED, a, 7), expect(t, "sar %s,0x7", names32[a]);
    sl_x86_multiply(x, a, b), expect(t, "imul %s,%s", names32[a], names32[b]);
    sl_x86_unary(x, SL_X86_NEGATE, a), expect(t, "neg %s", names32[a]);
    sl_x86_unary(x, SL_X86_MULTIPLY, a), expect(t, "mul %s", names32[a]);
    sl_x86_unary(x, SL_X86_MULTIPLY_SIGNED, a), expect(t, "imul %s", names32[a]);
    sl_x86_unary(x, SL_X86_DIVIDE, a), expect(t, "div %s", names32[a]);
    sl_x86_unary(x, SL_X86_DIVIDE_SIGNED, a), expect(t, "idiv %s", names32[a]);
    sl_x86_sign_to_edx(x), expect(t, "cdq");
    sl_x86_condition_to_eax(x, SL_X86_LESS), expect(t, "setl al"), expect(t, "movzx eax,al");
    sl_x86_condition_to_eax(x, SL_X86_BELOW), expect(t, "setb al"), expect(t, "movzx eax,al");
    sl_x86_test_wide(x, a), expect(t, "test %s,%s", names64[a], names64[a]);
    sl_x86_push(x, a), expect(t, "push %s", names64[a]);
    sl_x86_pop(x, a), expect(t, "pop %s", names64[a]);
    sl_x86_call(x, a), expect(t, "call %s", names64[a]);
    sl_x86_jump_register(x, a), expect(t, "jmp %s", names64[a]);
    sl_x86_compare_byte(x, sl_x86_at(b, 0x100), 0), expect(t, "cmp BYTE PTR [%s+0x100],0x0", names64[b]);
    sl_x86_compare_wide(x, sl_x86_indexed(b, SL_RSI, 4), 9);
    expect(t, "cmp QWORD PTR [%s+rsi*1+0x4],0x9", names64[b]);
    sl_x86_compare_half(x, sl_x86_at(b, 2), 31), expect(t, "cmp WORD PTR [%s+0x2],0x1f", names64[b]);
    sl_x86_compare_places_wide(x, a, sl_x86_at(b, 0x40));
    expect(t, "cmp %s,QWORD PTR [%s+0x40]", names64[a], names64[b]);
    sl_x86_add_half(x, sl_x86_at(b, 2), -1), expect(t, "add WORD PTR [%s+0x2],0xffff", names64[b]);
  }
  sl_x86_test_byte(x), expect(t, "test al,al");
  sl_x86_return(x), expect(t, "vzeroupper"), expect(t, "ret");
  compare(t);
}

static void jumps(void **state)
{
  (void)state;
  struct listing *t = start();
  static const struct {
    enum sl_x86_condition condition;
    const char *name;
  } all[] = {{SL_X86_BELOW, "jb"},    {SL_X86_EQUAL, "je"},     {SL_X86_UNEQUAL, "jne"},     {SL_X86_ABOVE, "ja"},
             {SL_X86_NEGATIVE, "js"}, {SL_X86_NOT_LESS, "jge"}, {SL_X86_NOT_GREATER, "jle"}, {SL_X86_ALWAYS, "jmp"}};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    sl_x86_land(&t->x, sl_x86_jump(&t->x, all[i].condition), i % 2 ? 0 : 0x200);
    expect(t, "%s 0x%x", all[i].name, i % 2 ? 0 : 0x200);
  }
  compare(t);
}

static void vectors(void **state)
{
  (void)state;
  struct listing *t = start();
  struct sl_x86 *x = &t->x;
  static const unsigned bits[] = {128, 256, 512};
  static const char letter[] = "xyz";
  static const char *const word[] = {"XMMWORD", "YMMWORD", "ZMMWORD"};
  for (unsigned i = 0; i < 24; i++) {
    const unsigned w = i % 3, d = (i * 5) % 32, a = (i * 11 + 7) % 32, b = (i * 13 + 3) % 32, unit = bits[w] / 8;
    const char v = letter[w];
    const struct sl_x86_lanes every = {.bits = bits[w]}, some = {.bits = bits[w], .mask = (uint8_t)(1 + i % 7)},
                              zero = {.bits = bits[w], .mask = (uint8_t)(1 + i % 7), .zeroing = true};
    sl_x86_vector(x, sl_x86_vector_add, every, d, a, b), expect(t, "vpaddd %cmm%u,%cmm%u,%cmm%u", v, d, v, a, v, b);
    sl_x86_vector(x, sl_x86_vector_subtract, some, d, a, b);
    expect(t, "vpsubd %cmm%u{k%u},%cmm%u,%cmm%u", v, d, some.mask, v, a, v, b);
    sl_x86_vector(x, sl_x86_vector_load, zero, d, 0, b);
    expect(t, "vmovdqu32 %cmm%u{k%u}{z},%cmm%u", v, d, some.mask, v, b);
    sl_x86_vector_place(x, sl_x86_vector_load, every, d, 0, sl_x86_at(SL_RBP, 3 * unit), unit, false, 0);
    expect(t, "vmovdqu32 %cmm%u,%s PTR [rbp+0x%x]", v, d, word[w], 3 * unit);
    sl_x86_vector_place(x, sl_x86_vector_store, some, d, 0, sl_x86_indexed(SL_R12, SL_RAX, 0x1004), unit, false, 0);
    expect(t, "vmovdqu32 %s PTR [r12+rax*1+0x1004]{k%u},%cmm%u", word[w], some.mask, v, d);
    sl_x86_vector_place(x, sl_x86_vector_subtract, every, d, a, sl_x86_indexed(SL_RBP, SL_RCX, 0x140), 4, true, 0);
    expect(t, "vpsubd %cmm%u,%cmm%u,DWORD BCST [rbp+rcx*1+0x140]", v, d, v, a);
    sl_x86_vector_place(x, compare_words, some, 3, a, sl_x86_at(SL_RBX, 2 * unit), unit, false, 1);
    sl_x86_tail(x, IS_UNEQUAL);
    expect(t, "vpcmpneqd k3{k%u},%cmm%u,%s PTR [rbx+0x%x]", some.mask, v, a, word[w], 2 * unit);
    sl_x86_vector(x, test_words, some, 4, a, b);
    expect(t, "vptestmd k4{k%u},%cmm%u,%cmm%u", some.mask, v, a, v, b);
    sl_x86_vector_scattered(x, (struct sl_x86_vector){2, 1, 0xa0}, some, d, SL_RDX, a);
    expect(t, "vpscatterdd DWORD PTR [rdx+%cmm%u*1]{k%u},%cmm%u", v, a, some.mask, v, d);
  }
  sl_x86_mask_from(x, 1, SL_R15), expect(t, "kmovw k1,r15d");
  sl_x86_mask_copy(x, 3, 1), expect(t, "kmovw k3,k1");
  sl_x86_mask_all(x, 3), expect(t, "kxnorw k3,k3,k3");
  sl_x86_mask_to(x, SL_RAX, 3), expect(t, "kmovd eax,k3");
  sl_x86_mask_join(x, 3, 4, 5), expect(t, "kunpckwd k3,k4,k5");
  sl_x86_mask_test(x, 3, 4), expect(t, "kortestw k3,k4");
  compare(t);
}

static void vectors_of_avx2(void **state)
{
  (void)state;
  struct listing *t = start();
  struct sl_x86 *x = &t->x;
  static const char letter[] = "xy";
  static const char *const word[] = {"XMMWORD", "YMMWORD"};
  static const enum sl_x86_register bases[] = {SL_RBX, SL_R12, SL_RSP, SL_R13};
  for (unsigned i = 0; i < 32; i++) {
    const unsigned w = i % 2, bits = w ? 256 : 128, d = (i * 5) % 16, a = (i * 11 + 7) % 16, b = (i * 13 + 3) % 16;
    const char v = letter[w];
    const enum sl_x86_register base = bases[i % 4];
    sl_x86_vex(x, sl_x86_vector_add, bits, d, a, b);
    expect(t, "vpaddd %cmm%u,%cmm%u,%cmm%u", v, d, v, a, v, b);
    sl_x86_vex_place(x, sl_x86_vector_load, bits, d, 0, sl_x86_at(base, 0x140), 0);
    expect(t, "vmovdqu %cmm%u,%s PTR [%s+0x140]", v, d, word[w], names64[base]);
    sl_x86_vex_place(x, sl_x86_vector_store, bits, d, 0, sl_x86_indexed(base, SL_RAX, 0x20), 0);
    expect(t, "vmovdqu %s PTR [%s+rax*1+0x20],%cmm%u", word[w], names64[base], v, d);
    sl_x86_vex_place(x, sl_x86_vector_broadcast, bits, d, 0, sl_x86_at(base, 4), 0);
    expect(t, "vpbroadcastd %cmm%u,DWORD PTR [%s+0x4]", v, d, names64[base]);
    sl_x86_vex_blend(x, bits, d, a, b, (i * 7) % 16);
    expect(t, "vpblendvb %cmm%u,%cmm%u,%cmm%u,%cmm%u", v, d, v, a, v, b, v, (i * 7) % 16);
    sl_x86_vex_gather(x, bits, i % 3, bases[i % 3], 3 + i % 6, 9 + i % 7);
    expect(t, "vpgatherdd %cmm%u,DWORD PTR [%s+%cmm%u*1],%cmm%u", v, i % 3, names64[bases[i % 3]], v, 3 + i % 6, v,
           9 + i % 7);
    sl_x86_vex_signs(x, bits, i % 2 ? SL_RCX : SL_R13, b);
    expect(t, "vmovmskps %s,%cmm%u", i % 2 ? "ecx" : "r13d", v, b);
  }
  compare(t);
}

/* A constant is written once, after the code; its distance counts from the end of the instruction. */
static void constants(void **state)
{
  (void)state;
  struct listing *t = start();
  struct sl_x86 *x = &t->x;
  const struct sl_x86_lanes every = {.bits = 512};
  sl_x86_vector_place(x, sl_x86_vector_add, every, 1, 2, sl_x86_constant(0x11223344), 4, true, 0);
  sl_x86_vector_place(x, compare_words, every, 3, 2, sl_x86_constant(0x11223344), 4, true, 1);
  sl_x86_tail(x, IS_LESS);
  const size_t behind = x->used;
  sl_x86_flush(x);
  uint32_t value, first, second;
  memcpy(&value, t->code + behind, sizeof value);
  memcpy(&first, t->code + 6, sizeof first);
  memcpy(&second, t->code + 16, sizeof second);
  assert_int_equal(value, 0x11223344);
  assert_int_equal(x->used, behind + 4);
  assert_int_equal(10 + first, behind);
  assert_int_equal(behind + second, behind);
}

/* Code that does not fit is not written, and the emitter reports it. */
static void code_that_does_not_fit(void **state)
{
  (void)state;
  uint8_t code[4] = {0};
  struct sl_x86 x = {.code = code, .room = 3};
  sl_x86_move_number(&x, SL_RAX, UINT32_MAX);
  assert_true(x.full);
  assert_int_equal(x.used, 3);
  assert_int_equal(code[3], 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers),        cmocka_unit_test(jumps),     cmocka_unit_test(vectors),
      cmocka_unit_test(vectors_of_avx2), cmocka_unit_test(constants), cmocka_unit_test(code_that_does_not_fit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
