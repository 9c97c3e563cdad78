/* Executes a relocatable unit of 64-bit words on one thread: it encodes, decodes and executes each word by the rows of
 * the instruction table, to compare results of functions with those of the same source on the host. */
#ifndef BACKEND_INTERPRETER_H
#define BACKEND_INTERPRETER_H

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/isa64/compile_mir.h"
#include "isa/fp.h"
#include "isa/lanes.h"

enum {
  CODE = 0x1000,
  HALT = 0x10,    /* return address of the outermost function */
  LIBRARY = 0x20, /* memcpy, then memset */
  RODATA = 0x100000,
  DATA = 0x200000,
  STACK = 0x400000,
  MEMORY = 0x400000,
  FAR = 0x40000 /* bytes of each of the kernels' arrays */
};

#define INTERPRETER_SETS                                                                                               \
  (SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZFINX | SL_ISA_ZICOND | SL_ISA_WARP2 | SL_ISA_WIDE)

struct interpreter {
  alignas(64) uint32_t x[SL_WIDE_REGISTERS];
  const struct sl_object64 *object;
  uint32_t *address; /* of each section */
  struct sl_insn *insn;
  size_t count;
  uint8_t *memory, *far[3]; /* the latter at 0xa0000000, 0xa1000000, 0xc0000000 */
  uint32_t thread, reserved;
  uint64_t steps, pairs; /* instructions; pairs of sources in one bank of four, as the paper counts them */
  uint64_t stack;        /* accesses to the stack */
  const char *wrong;     /* reason of the end, or NULL */
};

static inline uint8_t *at(struct interpreter *in, uint32_t address, uint32_t bytes)
{
  static const uint32_t far[] = {0xa0000000, 0xa1000000, 0xc0000000};
  for (unsigned i = 0; i < 3; i++)
    if (address - far[i] < FAR)
      return in->far[i] + (address - far[i]);
  if (address < RODATA || address > MEMORY - bytes || address % bytes != 0) {
    in->wrong = "an access outside memory";
    return in->memory;
  }
  return in->memory + address;
}

static inline uint32_t symbol_address(struct interpreter *in, uint32_t number)
{
  const struct sl_symbol64 *symbol = &in->object->symbols[number];
  if (symbol->section == SL_UNDEFINED64 && strcmp(symbol->name, "memcpy") == 0)
    return LIBRARY;
  if (symbol->section == SL_UNDEFINED64 && strcmp(symbol->name, "memset") == 0)
    return LIBRARY + 8;
  if (symbol->section == SL_UNDEFINED64) {
    in->wrong = symbol->name;
    return 0;
  }
  return in->address[symbol->section] + symbol->value;
}

static inline void link_code(struct interpreter *in, const struct sl_section64 *section, uint32_t address)
{
  for (size_t i = 0; i < section->code_count; i++, address += SL_WIDE_BYTES) {
    struct sl_code64 code = section->code[i];
    if (code.fix != SL_FIX_NONE) {
      const uint32_t value = symbol_address(in, code.symbol) + (uint32_t)code.addend;
      switch (code.fix) {
      case SL_FIX_VALUE: code.insn.imm = value; break;
      case SL_FIX_PC: code.insn.imm = value - address; break;
      case SL_FIX_HIGH: code.insn.imm = (value + 0x800) & 0xfffff000; break;
      case SL_FIX_LOW: code.insn.imm = (value & 0xfff) - (value & 0x800) * 2; break;
      default: in->wrong = "a fix that is not known here";
      }
    }
    in->insn[(address - CODE) / SL_WIDE_BYTES] = sl_wide_decode(sl_wide_encode(&code.insn), INTERPRETER_SETS);
  }
}

static inline void interpreter_init(struct interpreter *in, const struct sl_object64 *object)
{
  memset(in, 0, sizeof *in);
  in->object = object;
  in->address = calloc(object->section_count + 1, sizeof *in->address);
  in->memory = calloc(MEMORY, 1);
  for (unsigned i = 0; i < 3; i++)
    in->far[i] = calloc(FAR, 1);
  uint32_t code = CODE, data = RODATA;
  for (size_t i = 0; i < object->section_count; i++) {
    uint32_t *place = object->sections[i].executable ? &code : &data;
    in->address[i] = *place = (*place + 63) & ~63u;
    *place += object->sections[i].size;
  }
  in->count = (code - CODE) / SL_WIDE_BYTES;
  in->insn = calloc(in->count + 1, sizeof *in->insn);
  for (size_t i = 0; i < object->section_count; i++) {
    const struct sl_section64 *section = &object->sections[i];
    if (section->executable) {
      link_code(in, section, in->address[i]);
      continue;
    }
    memcpy(in->memory + in->address[i], section->bytes, section->size);
    for (size_t k = 0; k < section->fix_count; k++) {
      const uint32_t value = symbol_address(in, section->fixes[k].symbol) + (uint32_t)section->fixes[k].addend;
      memcpy(in->memory + in->address[i] + section->fixes[k].offset, &value, 4);
    }
  }
}

static inline void interpreter_free(struct interpreter *in)
{
  free(in->address);
  free(in->memory);
  free(in->insn);
  for (unsigned i = 0; i < 3; i++)
    free(in->far[i]);
}

static inline void atomic_access(struct interpreter *in, const struct sl_insn *insn)
{
  uint8_t *place = at(in, in->x[insn->rs1], 4);
  uint32_t old, value = in->x[insn->rs2];
  memcpy(&old, place, 4);
  uint32_t result = old;
  switch (insn->op) {
  case SL_OP_AMOADD: value = old + value; break;
  case SL_OP_AMOSWAP: break;
  case SL_OP_LR:
    in->reserved = in->x[insn->rs1];
    value = old;
    break;
  case SL_OP_SC:
    result = in->reserved != in->x[insn->rs1];
    value = result ? old : value;
    break;
  default: in->wrong = "an atomic that is not known here";
  }
  memcpy(place, &value, 4);
  in->x[insn->rd] = result;
}

static inline void count_facts(struct interpreter *in, const struct sl_insn *insn)
{
  const unsigned source[] = {insn->rs1, insn->rs2, insn->rs3};
  const bool reads[] = {sl_reads_rs1(insn), sl_reads_rs2(insn), sl_reads_rs3(insn)};
  for (unsigned a = 0; a < 3; a++)
    for (unsigned b = a + 1; b < 3; b++)
      in->pairs += reads[a] && reads[b] && source[a] % 4 == source[b] % 4;
  if (insn->kind == SL_KIND_LOAD || insn->kind == SL_KIND_STORE)
    in->stack += in->x[insn->rs1] + insn->imm - (STACK - 0x100000) < 0x100000;
  in->steps++;
}

static inline uint32_t step(struct interpreter *in, uint32_t pc)
{
  const struct sl_insn *insn = &in->insn[(pc - CODE) / SL_WIDE_BYTES];
  const struct sl_lane_ops *ops = sl_lane_ops(1);
  uint32_t next = pc + SL_WIDE_BYTES, value = 0, flags = 0;
  count_facts(in, insn);
  switch (insn->kind) {
  case SL_KIND_BRANCH: next = ops->execute[insn->op](in->x, insn, 1, pc, 1) ? pc + insn->imm : next; break;
  case SL_KIND_JAL:
  case SL_KIND_JALR:
    value = next;
    next = insn->kind == SL_KIND_JAL ? pc + insn->imm : in->x[insn->rs1] + insn->imm;
    in->x[insn->rd] = value;
    break;
  case SL_KIND_LOAD:
    memcpy(&value, at(in, in->x[insn->rs1] + insn->imm, insn->width), insn->width);
    value = insn->op == SL_OP_LB ? (uint32_t)(int8_t)value : insn->op == SL_OP_LH ? (uint32_t)(int16_t)value : value;
    in->x[insn->rd] = value;
    break;
  case SL_KIND_STORE: memcpy(at(in, in->x[insn->rs1] + insn->imm, insn->width), &in->x[insn->rs2], insn->width); break;
  case SL_KIND_AMO:
  case SL_KIND_LRSC: atomic_access(in, insn); break;
  case SL_KIND_CSR: in->x[insn->rd] = in->thread; break;
  case SL_KIND_FENCE: break;
  case SL_KIND_ALU:
  case SL_KIND_MUL:
  case SL_KIND_DIV:
  case SL_KIND_FPU:
  case SL_KIND_FPX:
    if (sl_fp_has(insn->op))
      sl_fp_execute(in->x, insn, 1, 1, 0, &flags);
    else if (insn->rd != 0)
      ops->execute[insn->op](in->x, insn, 1, pc, 1);
    break;
  default: in->wrong = "a word that is no instruction";
  }
  in->x[0] = 0;
  return next;
}

/* memcpy and memset, which overwrite all temporaries as any function may. */
static inline void library(struct interpreter *in, uint32_t pc)
{
  const uint32_t to = in->x[10], n = in->x[12];
  if (n > 0 && to >= RODATA && to < MEMORY - n) {
    if (pc == LIBRARY)
      memmove(in->memory + to, in->memory + in->x[11] % MEMORY, n);
    else
      memset(in->memory + to, (int)in->x[11], n);
  }
  for (unsigned reg = 5; reg < SL_WIDE_REGISTERS; reg++)
    if (reg != 8 && reg != 9 && reg != 10 && !(reg >= 18 && reg <= 27) && !(reg >= 48 && reg <= 95))
      in->x[reg] = 0xdeadbeef;
}

/* Calls a function by name with the arguments in a0 and so on; returns a0. Checks that saved registers are preserved.
 */
static inline uint32_t run(struct interpreter *in, const char *name)
{
  uint32_t pc = 0, before[SL_WIDE_REGISTERS];
  in->wrong = NULL;
  for (uint32_t i = 0; i < in->object->symbol_count; i++)
    if (strcmp(in->object->symbols[i].name, name) == 0)
      pc = symbol_address(in, i);
  in->x[1] = HALT;
  in->x[2] = STACK - 64;
  for (unsigned reg = 3; reg < SL_WIDE_REGISTERS; reg++)
    in->x[reg] = reg >= 10 && reg < 18 ? in->x[reg] : 0x5a5a0000 + reg;
  memcpy(before, in->x, sizeof before);
  const uint64_t limit = in->steps + 50000000;
  while (pc != HALT && in->wrong == NULL && in->steps < limit) {
    if (pc == LIBRARY || pc == LIBRARY + 8) {
      library(in, pc);
      pc = in->x[1];
    } else if (pc < CODE || (pc - CODE) / SL_WIDE_BYTES >= in->count || pc % SL_WIDE_BYTES != 0) {
      in->wrong = "a jump to where no code is";
    } else {
      pc = step(in, pc);
    }
  }
  if (in->steps >= limit)
    in->wrong = "no end";
  for (unsigned reg = 2; in->wrong == NULL && reg < SL_WIDE_REGISTERS; reg++)
    if ((reg <= 4 || reg == 8 || reg == 9 || (reg >= 18 && reg <= 27) || (reg >= 48 && reg <= 95)) &&
        in->x[reg] != before[reg])
      in->wrong = "a saved register was not kept";
  return in->x[10];
}

/* The only inline assembly statement of the kernels. */
static inline enum sl_status assemble_csrr(void *context, const char *text, struct sl_object64 *object,
                                           struct sl_code64 **code, size_t *count, struct sl_error *err)
{
  (void)context;
  (void)object;
  char name[16];
  if (sscanf(text, "csrr %15[^,], mhartid", name) != 1)
    return sl_fail(err, SL_USAGE, "only csrr is known here");
  *code = calloc(1, sizeof **code);
  *count = 1;
  for (unsigned reg = 0; reg < SL_WIDE_REGISTERS; reg++)
    if (strcmp(sl_wide_register_name(reg), name) == 0)
      (*code)->insn = (struct sl_wide){.op = SL_OP_CSRRS, .rd = (uint8_t)reg, .csr = 0xf14};
  return SL_OK;
}

#endif
