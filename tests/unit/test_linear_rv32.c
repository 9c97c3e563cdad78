/* Linear combinations of indices in RV32 kernels: differences from the analysis of PTX. Registers are written
 * repeatedly, arguments are words of memory, registers are saved on the stack, functions are called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/linear/linear_code.h"
#include "compiler/linear/linear_vectors.h"
#include "words.h"

enum { RA = 1, SP = 2, T0 = 5, S0 = 8, S1 = 9, A0 = 10, A1, A2, A3, A4, A5 };
enum { TID_X = 0xcc0, TID_Y, CTAID_X = 0xcc3, NTID_X = 0xcc6, NCTAID_Y = 0xcca, LAUNCH = 0x831, COMMAND = 0x830 };

static const struct sl_linear_abi abi = {
    .place_csr = TID_X, .launch_csr = LAUNCH, .end_csr = COMMAND, .grid_at = 0, .block_at = 12, .arguments_at = 36};

#define ADDI(rd, rs1, imm) word_i(SL_OP_ADDI, rd, rs1, imm)
#define ADD(rd, rs1, rs2) word_r(SL_OP_ADD, rd, rs1, rs2)
#define LW(rd, imm, rs1) word_i(SL_OP_LW, rd, rs1, imm)
#define SW(rs2, imm, rs1) word_s(SL_OP_SW, rs2, rs1, imm)
#define CSRR(rd, csr) word_csr(SL_OP_CSRRS, rd, csr, 0)
#define CALL(rd, offset) word_j(SL_OP_JAL, rd, offset)
#define JUMP(offset) word_j(SL_OP_JAL, 0, offset)
#define RET word_i(SL_OP_JALR, 0, RA, 0)

struct subject {
  struct sl_code words;
  struct sl_linear_code code;
  struct sl_linear_analysis analysis;
};

/* A kernel of the first `count` of these words. */
static enum sl_status read_words(struct subject *s, const uint32_t *word, uint32_t all, uint32_t count,
                                 struct sl_error *err)
{
  const unsigned sets = SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZFINX;
  memset(s, 0, sizeof *s);
  assert_int_equal(sl_code_init(&s->words, sl_isa(SL_ISA_RV32), sets, 0x8000400, all, err), SL_OK);
  for (uint32_t i = 0; i < all; i++) {
    sl_code_write(&s->words, i, word[i]);
    assert_int_not_equal(s->words.insn[i].op, SL_OP_UNKNOWN);
  }
  const struct sl_linear_machine_code machine = {.code = &s->words, .abi = &abi, .end = count};
  assert_int_equal(sl_linear_from_rv32(&s->code, &machine, err), SL_OK);
  return sl_linear_analyse(&s->analysis, &s->code, NULL, err);
}

static void release(struct subject *s)
{
  sl_linear_analysis_free(&s->analysis);
  sl_linear_code_free(&s->code);
  sl_code_free(&s->words);
}

#define ANALYSE(s, words)                                                                                              \
  do {                                                                                                                 \
    struct sl_error err_ = {0};                                                                                        \
    const uint32_t count_ = sizeof(words) / sizeof *(words);                                                           \
    if (read_words(s, words, count_, count_, &err_) != SL_OK)                                                          \
      fail_msg("%s", err_.text);                                                                                       \
  } while (0)

/* The vector of instruction n, or the reason that it has none. */
static void is(struct subject *s, uint32_t n, const char *expected)
{
  char text[SL_LINEAR_TEXT];
  const struct sl_linear_vector *v = &s->analysis.vector[s->analysis.values.def[n][0]];
  assert_string_equal(v->reason == SL_LINEAR_YES ? sl_linear_vector_text(&s->analysis, v, text)
                                                 : sl_linear_reason_text(v->reason),
                      expected);
}

static void is_refused(const uint32_t *word, uint32_t all, uint32_t count, const char *expected)
{
  struct subject s;
  struct sl_error err = {0};
  assert_int_equal(read_words(&s, word, all, count, &err), SL_USAGE);
  assert_string_equal(err.text, expected);
  release(&s);
}

/* Fig. 6 of the paper, in RV32; register a5 is written by all of them. */
static void operations_combine_vectors(void **state)
{
  (void)state;
  struct subject s;
  const uint32_t words[] = {
      CSRR(A5, TID_X),                /* 0 */
      CSRR(A4, CTAID_X),              /* 1 */
      ADD(A5, A5, A4),                /* 2 */
      word_i(SL_OP_SLLI, A5, A5, 3),  /* 3 */
      ADDI(A5, A5, -20),              /* 4 */
      word_r(SL_OP_SUB, A5, 0, A5),   /* 5 */
      LW(A3, 40, A0),                 /* 6 */
      word_r(SL_OP_MUL, A5, A5, A3),  /* 7 */
      word_r(SL_OP_MUL, A4, A5, A5),  /* 8 */
      word_i(SL_OP_XORI, A3, A3, -1), /* 9 */
      word_u(SL_OP_LUI, A2, 0x12345), /* 10 */
      ADDI(A2, A2, -1),               /* 11 */
      word_u(SL_OP_AUIPC, A2, 1),     /* 12 */
      ADDI(A1, 0, 3),                 /* 13 */
      word_r(SL_OP_SLL, A4, A5, A1),  /* 14 */
      word_r(SL_OP_SLL, A4, A1, A5),  /* 15 */
      word_i(SL_OP_SRLI, A4, A1, 1),  /* 16 */
      RET,
  };
  ANALYSE(&s, words);
  is(&s, 0, "{0, 1, 0, 0, 0, 0, 0}");
  is(&s, 1, "{0, 0, 0, 0, 1, 0, 0}");
  is(&s, 2, "{0, 1, 0, 0, 1, 0, 0}");
  is(&s, 3, "{0, 8, 0, 0, 8, 0, 0}");
  is(&s, 4, "{-20, 8, 0, 0, 8, 0, 0}");
  is(&s, 5, "{20, -8, 0, 0, -8, 0, 0}");
  is(&s, 6, "{P1, 0, 0, 0, 0, 0, 0}");
  is(&s, 7, "{20*P1, -8*P1, 0, 0, -8*P1, 0, 0}");
  is(&s, 8, "product of two varying values");
  is(&s, 9, "not a linear operation");
  is(&s, 10, "{305418240, 0, 0, 0, 0, 0, 0}"); /* 0x12345000 */
  is(&s, 11, "{305418239, 0, 0, 0, 0, 0, 0}");
  is(&s, 12, "{134222896, 0, 0, 0, 0, 0, 0}"); /* 0x8000430 + 0x1000 */
  is(&s, 14, "{160*P1, -64*P1, 0, 0, -64*P1, 0, 0}");
  is(&s, 15, "not a linear operation");
  is(&s, 16, "not a linear operation");
  release(&s);
}

/* The launch block's address may be in any register; its words are sizes and arguments, except for one that kernels
 * write. */
static void words_of_the_launch_block_are_symbols(void **state)
{
  (void)state;
  struct subject s;
  const uint32_t words[] = {
      ADDI(S0, A0, 4),    /* 0 */
      LW(A1, 0, S0),      /* 1: grid, y */
      LW(A2, 8, S0),      /* 2: block, x */
      LW(A3, 36, S0),     /* 3: argument 1 */
      CSRR(A4, LAUNCH),   /* 4 */
      LW(A4, 36, A4),     /* 5: argument 0 */
      LW(A4, 32, A0),     /* 6: shared memory that is needed */
      CSRR(A4, NTID_X),   /* 7 */
      CSRR(A4, NCTAID_Y), /* 8 */
      CSRR(A4, 0xccd),    /* 9: the lane */
      LW(A4, 38, A0),     /* 10 */
      LW(A4, 0, A3),      /* 11 */
      RET,
  };
  ANALYSE(&s, words);
  is(&s, 0, "{launch+4, 0, 0, 0, 0, 0, 0}");
  is(&s, 1, "{nctaid.y, 0, 0, 0, 0, 0, 0}");
  is(&s, 2, "{ntid.x, 0, 0, 0, 0, 0, 0}");
  is(&s, 3, "{P1, 0, 0, 0, 0, 0, 0}");
  is(&s, 4, "{launch, 0, 0, 0, 0, 0, 0}");
  is(&s, 5, "{P0, 0, 0, 0, 0, 0, 0}");
  is(&s, 6, "comes from memory");
  is(&s, 7, "{ntid.x, 0, 0, 0, 0, 0, 0}");
  is(&s, 8, "{nctaid.y, 0, 0, 0, 0, 0, 0}");
  is(&s, 9, "not a linear operation");
  is(&s, 10, "comes from memory");
  is(&s, 11, "comes from memory");
  release(&s);
}

/* A register that has the launch block's address on some paths only is unknown. */
static void values_that_differ_between_paths_are_unknown(void **state)
{
  (void)state;
  struct subject s;
  const uint32_t words[] = {
      word_b(SL_OP_BEQ, A1, A2, 8), /* 0 */
      ADDI(A0, A0, 4),              /* 1 */
      LW(A3, 36, A0),               /* 2 */
      RET,
  };
  ANALYSE(&s, words);
  is(&s, 2, "comes from memory");
  release(&s);
}

static void registers_saved_on_the_stack_are_copies(void **state)
{
  (void)state;
  struct subject s;
  const uint32_t words[] = {
      ADDI(SP, SP, -16), /* 0 */
      CSRR(A5, TID_X),   /* 1 */
      SW(A5, 12, SP),    /* 2 */
      SW(S0, 8, SP),     /* 3 */
      SW(A0, 4, SP),     /* 4 */
      ADDI(S0, SP, 16),  /* 5: a frame pointer */
      LW(A4, -4, S0),    /* 6: of 2 */
      LW(A1, 4, SP),     /* 7: of 4 */
      LW(A2, 44, A1),    /* 8: argument 2 */
      LW(A3, 0, SP),     /* 9: never written */
      LW(S0, 8, SP),     /* 10 */
      ADDI(SP, SP, 16),  /* 11 */
      RET,
  };
  ANALYSE(&s, words);
  is(&s, 0, "{sp-16, 0, 0, 0, 0, 0, 0}");
  is(&s, 2, "{0, 1, 0, 0, 0, 0, 0}");
  is(&s, 6, "{0, 1, 0, 0, 0, 0, 0}");
  is(&s, 7, "{launch, 0, 0, 0, 0, 0, 0}");
  is(&s, 8, "{P2, 0, 0, 0, 0, 0, 0}");
  is(&s, 9, "an operand is not linear");
  is(&s, 10, "an operand is not linear");
  is(&s, 11, "{sp, 0, 0, 0, 0, 0, 0}");
  release(&s);
}

/* A byte of the word is written, or its address escapes: then the word is ordinary memory. */
static void words_that_may_change_are_not_copies(void **state)
{
  (void)state;
  const uint32_t others[] = {ADDI(A3, 0, 1),               /* harmless */
                             word_s(SL_OP_SB, A2, SP, 13), /* writes a byte of it */
                             SW(A1, 0, A5),                /* stores its address */
                             ADD(A3, A1, A5),              /* computes an address that the analysis does not follow */
                             CALL(RA, 12)};                /* passes it on */
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
    struct subject s;
    const uint32_t words[] = {
        ADDI(SP, SP, -16), /* 0 */
        CSRR(A5, TID_X),   /* 1 */
        SW(A5, 12, SP),    /* 2 */
        ADDI(A1, SP, 12),  /* 3 */
        others[i],         /* 4 */
        LW(A4, 12, SP),    /* 5 */
        RET,
        RET,
    };
    ANALYSE(&s, words);
    is(&s, 5, i == 0 ? "{0, 1, 0, 0, 0, 0, 0}" : "comes from memory");
    release(&s);
  }
}

/* The calling convention: s0 is preserved, a1 and t0 are not; words that are only written belong to the function. */
static void a_call_preserves_saved_registers(void **state)
{
  (void)state;
  struct subject s;
  const uint32_t words[] = {
      ADDI(SP, SP, -16), /* 0 */
      SW(RA, 12, SP),    /* 1 */
      CSRR(S0, TID_X),   /* 2 */
      CSRR(A1, TID_X),   /* 3 */
      CSRR(T0, TID_X),   /* 4 */
      SW(A1, 0, SP),     /* 5 */
      CALL(RA, 32),      /* 6 */
      ADDI(S0, S0, 1),   /* 7 */
      ADDI(A1, A1, 1),   /* 8 */
      ADDI(T0, T0, 1),   /* 9 */
      LW(RA, 12, SP),    /* 10 */
      ADDI(SP, SP, 16),  /* 11 */
      RET,               /* 12 */
      RET,               /* 13 */
      RET,               /* 14: the function */
  };
  ANALYSE(&s, words);
  is(&s, 7, "{1, 1, 0, 0, 0, 0, 0}");
  is(&s, 8, "an operand is not linear");
  is(&s, 9, "an operand is not linear");
  assert_int_equal(s.code.insn[5].dsts, 0); /* stays a store */
  assert_int_equal(s.code.insn[1].dsts, 1);
  release(&s);
}

/* Two pointers that grow, in a register that is written in the loop, and one on the stack. */
static void pointers_grow_in_a_loop(void **state)
{
  (void)state;
  struct subject s;
  const uint32_t words[] = {
      ADDI(SP, SP, -16),              /* 0 */
      CSRR(A5, TID_X),                /* 1 */
      word_i(SL_OP_SLLI, A5, A5, 2),  /* 2 */
      LW(A1, 36, A0),                 /* 3 */
      LW(A2, 40, A0),                 /* 4 */
      ADD(A1, A1, A5),                /* 5 */
      SW(A1, 0, SP),                  /* 6 */
      LW(A4, 0, A1),                  /* 7: the loop */
      ADDI(A1, A1, 8),                /* 8 */
      LW(A3, 0, SP),                  /* 9 */
      ADDI(A3, A3, 12),               /* 10 */
      SW(A3, 0, SP),                  /* 11 */
      word_b(SL_OP_BNE, A4, A2, -20), /* 12: lanes may leave in iterations of their own */
      LW(A4, 0, A3),                  /* 13 */
      RET,
  };
  ANALYSE(&s, words);
  is(&s, 8, "{P0+8*i+8, 4, 0, 0, 0, 0, 0}");
  is(&s, 9, "{P0+12*i, 4, 0, 0, 0, 0, 0}");
  is(&s, 11, "{P0+12*i+12, 4, 0, 0, 0, 0, 0}");
  release(&s);
}

static void unsupported_code_gives_a_message(void **state)
{
  (void)state;
  const uint32_t indirect[] = {word_i(SL_OP_JALR, 0, A5, 0), RET};
  const uint32_t changing[] = {sl_op_info(SL_OP_FENCE_I)->match, RET};
  const uint32_t helped[] = {CALL(T0, 8), RET, RET};
  const uint32_t recursive[] = {CALL(RA, 8), RET, /* its function: */ word_b(SL_OP_BEQ, A0, A1, 8), CALL(RA, -4), RET};
  const uint32_t mutual[] = {CALL(RA, 8), RET, CALL(RA, 8), RET, CALL(RA, -8), RET};
  const uint32_t twice[] = {CALL(RA, 12), CALL(RA, 8), RET, RET};
  const uint32_t entries[] = {word_b(SL_OP_BEQ, A0, A1, 8), ADDI(A2, A2, 1), ADDI(A3, A3, 1),
                              word_b(SL_OP_BNE, A2, A3, -8), RET};
  struct subject s;
  is_refused(indirect, 2, 2, "at 08000400 it has an indirect jump, whose target is unknown");
  is_refused(changing, 2, 2, "at 08000400 it has a fence.i, which only self-modifying code needs");
  is_refused(helped, 3, 2, "at 08000400 it calls a function that returns by t0, and may change the stack pointer");
  is_refused(recursive, 5, 2, "it calls a recursive function");
  is_refused(mutual, 6, 2, "it calls a recursive function");
  is_refused(entries, 5, 5, "it has a loop with more than one entry, whose values have no closed form");
  assert_int_equal(read_words(&s, twice, 4, 3, &(struct sl_error){0}), SL_OK);
  release(&s);
}

/* Unreachable code, a jump out of the kernel, and a jump that ends the thread. */
static void ends_of_a_kernel_are_recognised(void **state)
{
  (void)state;
  struct subject s;
  const uint32_t words[] = {
      word_b(SL_OP_BEQ, A1, A2, 12),                           /* 0 */
      word_i(SL_OP_CSRRWI, 0, 1, 0) | (uint32_t)COMMAND << 20, /* 1: ends */
      LW(A4, 36, A0),                                          /* 2: never reached */
      JUMP(8),                                                 /* 3: another function */
      RET,                                                     /* 4 */
      RET,                                                     /* 5 */
  };
  struct sl_error err = {0};
  assert_int_equal(read_words(&s, words, 6, 4, &err), SL_OK);
  assert_int_equal(s.code.insn[1].next[0], SL_LINEAR_NOWHERE);
  assert_int_equal(s.code.insn[3].next[0], SL_LINEAR_NOWHERE);
  assert_int_equal(s.code.insn[3].role, SL_LINEAR_CONTROLS);
  assert_int_equal(s.analysis.flow.dominators.place[s.analysis.flow.block_of[2]], SL_NO_NODE);
  release(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operations_combine_vectors),
      cmocka_unit_test(words_of_the_launch_block_are_symbols),
      cmocka_unit_test(values_that_differ_between_paths_are_unknown),
      cmocka_unit_test(registers_saved_on_the_stack_are_copies),
      cmocka_unit_test(words_that_may_change_are_not_copies),
      cmocka_unit_test(a_call_preserves_saved_registers),
      cmocka_unit_test(pointers_grow_in_a_loop),
      cmocka_unit_test(unsupported_code_gives_a_message),
      cmocka_unit_test(ends_of_a_kernel_are_recognised),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
