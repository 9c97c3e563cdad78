/* Interprets a program of 64-bit words on one thread without timing, independent of any machine, for tests of linked
 * programs. Memory is an image at 0x80000000 and a stack below 0xffff0000; a byte stored at 0x40 is printed, a word
 * stored at 0x88 ends the run. */
#ifndef SL_TESTS_WIDE_INTERPRETER_H
#define SL_TESTS_WIDE_INTERPRETER_H

#include <stdlib.h>
#include <string.h>

#include "compiler/isa64/rv32/rv32_object.h"
#include "isa/fp.h"
#include "isa/lanes.h"
#include "program/program.h"

#define WIDE_IMAGE UINT32_C(0x80000000)
#define WIDE_STACK UINT32_C(0xfff00000)

enum {
  WIDE_IMAGE_BYTES = 4 << 20,
  WIDE_STACK_BYTES = 0xf0000,
  WIDE_PRINTED = 1 << 16,
  CONSOLE = 0x40,
  EXIT_CODE = 0x88
};

struct wide_machine {
  uint8_t *image, *stack;
  _Alignas(64) uint32_t x[SL_WIDE_REGISTERS];
  uint32_t pc, steps, exit_code;
  bool ended;
  const char *stopped; /* reason of an abnormal end */
  char printed[WIDE_PRINTED];
  size_t printed_count;
};

static inline uint8_t *wide_memory(const struct wide_machine *m, uint32_t address)
{
  if (address - WIDE_IMAGE < WIDE_IMAGE_BYTES - 8)
    return m->image + (address - WIDE_IMAGE);
  return address - WIDE_STACK < WIDE_STACK_BYTES - 8 ? m->stack + (address - WIDE_STACK) : NULL;
}

static inline void wide_store(struct wide_machine *m, uint32_t address, const struct sl_insn *in)
{
  const uint32_t value = m->x[in->rs2];
  uint8_t *to = wide_memory(m, address);
  if (address == EXIT_CODE) {
    m->exit_code = value;
    m->ended = true;
  } else if (address == CONSOLE && m->printed_count < WIDE_PRINTED - 1)
    m->printed[m->printed_count++] = (char)value;
  else if (to != NULL)
    memcpy(to, &value, in->width);
  else
    m->stopped = "a store to no memory";
}

static inline uint32_t wide_loaded(uint32_t m, const struct sl_insn *in)
{
#define ROW_LOAD(id, match, semantics)                                                                                 \
  if (in->op == SL_OP_##id)                                                                                            \
    return semantics;
#include "isa/rows.h"
  return 0;
}

static inline uint32_t wide_amo(uint32_t m, uint32_t b, const struct sl_insn *in)
{
#define S(x) ((int32_t)(x))
#define ROW_AMO(id, match, semantics)                                                                                  \
  if (in->op == SL_OP_##id)                                                                                            \
    return semantics;
#include "isa/rows.h"
  return 0;
#undef S
}

static inline void wide_load(struct wide_machine *m, uint32_t address, const struct sl_insn *in)
{
  const uint8_t *from = wide_memory(m, address);
  uint32_t value = 0;
  if (from == NULL)
    m->stopped = "a load from no memory";
  else
    memcpy(&value, from, in->width);
  m->x[in->rd] = wide_loaded(value, in);
}

static inline void wide_atomic(struct wide_machine *m, uint32_t address, const struct sl_insn *in)
{
  uint8_t *at = wide_memory(m, address);
  uint32_t old = 0;
  if (at == NULL) {
    m->stopped = "an atomic of no memory";
    return;
  }
  memcpy(&old, at, sizeof old);
  const uint32_t new = wide_amo(old, m->x[in->rs2], in);
  memcpy(at, &new, sizeof new);
  m->x[in->rd] = old;
}

static inline void wide_step(struct wide_machine *m, const struct sl_lane_ops *ops)
{
  const uint8_t *at = wide_memory(m, m->pc);
  uint64_t word = 0;
  if (at != NULL)
    memcpy(&word, at, sizeof word);
  const struct sl_insn in = sl_wide_decode(word, SL_WIDE_SETS);
  uint32_t next = m->pc + SL_WIDE_BYTES, flags = 0, was;
  switch (in.kind) {
  case SL_KIND_LOAD: wide_load(m, m->x[in.rs1] + in.imm, &in); break;
  case SL_KIND_STORE: wide_store(m, m->x[in.rs1] + in.imm, &in); break;
  case SL_KIND_AMO: wide_atomic(m, m->x[in.rs1], &in); break;
  case SL_KIND_BRANCH: next = ops->execute[in.op](m->x, &in, 1, m->pc, 1) ? m->pc + in.imm : next; break;
  case SL_KIND_JAL:
  case SL_KIND_JALR:
    was = next;
    next = in.kind == SL_KIND_JAL ? m->pc + in.imm : m->x[in.rs1] + in.imm;
    m->x[in.rd] = was;
    break;
  case SL_KIND_FENCE: break;
  case SL_KIND_CSR: m->x[in.rd] = 0; break;
  case SL_KIND_FPU:
  case SL_KIND_FPX:
    if (!sl_fp_execute(m->x, &in, 1, 1, 0, &flags))
      m->stopped = "a reserved rounding mode";
    break;
  case SL_KIND_ALU:
  case SL_KIND_MUL:
  case SL_KIND_DIV:
    if (sl_fp_has(in.op))
      sl_fp_execute(m->x, &in, 1, 1, 0, &flags);
    else if (in.rd != 0)
      ops->execute[in.op](m->x, &in, 1, m->pc, 1);
    break;
  default: m->stopped = "a word that is no instruction, or one of machines";
  }
  m->x[0] = 0;
  m->pc = next;
  m->steps++;
}

/* Loads a program of 64-bit words; false when it does not fit. */
static inline bool wide_load_program(struct wide_machine *m, const struct sl_program *program)
{
  memset(m, 0, sizeof *m);
  m->image = calloc(WIDE_IMAGE_BYTES, 1);
  m->stack = calloc(WIDE_STACK_BYTES, 1);
  m->pc = sl_program_entry(program);
  for (size_t i = 0; i < sl_program_segment_count(program) && m->image != NULL; i++) {
    const struct sl_segment *s = sl_program_segment(program, i);
    if (s->address - WIDE_IMAGE >= WIDE_IMAGE_BYTES || s->size > WIDE_IMAGE_BYTES - (s->address - WIDE_IMAGE))
      return false;
    memcpy(m->image + (s->address - WIDE_IMAGE), s->bytes, s->file_size);
  }
  return m->image != NULL && m->stack != NULL;
}

static inline void wide_run(struct wide_machine *m, uint32_t most_steps)
{
  const struct sl_lane_ops *ops = sl_lane_ops_portable(1);
  while (!m->ended && m->stopped == NULL && m->steps < most_steps)
    wide_step(m, ops);
  if (!m->ended && m->stopped == NULL)
    m->stopped = "too many steps";
  m->printed[m->printed_count] = '\0';
}

static inline void wide_free(struct wide_machine *m)
{
  free(m->image);
  free(m->stack);
}

#endif
