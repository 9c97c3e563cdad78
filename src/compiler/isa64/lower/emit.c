#include "compiler/isa64/compile_mir.h"

#include <stdio.h>
#include <string.h>

#include "compiler/isa64/lir/lir.h"

/* Atomic operations without a machine instruction, as loops of lr.w and sc.w: compare and exchange, nand, and
 * operations on part of a word, which preserve the rest (The RISC-V Instruction Set Manual, Volume I, section 8.2). */

enum { SL_MOST_ATOMIC_WORDS = 9 };

struct atomics_loop {
  struct sl_wide *word;
  unsigned count;
};

static void atomics_put(struct atomics_loop *l, enum sl_op op, uint32_t rd, uint32_t rs1, uint32_t rs2, uint32_t imm)
{
  const bool atomic = op == SL_OP_LR || op == SL_OP_SC;
  l->word[l->count++] = (struct sl_wide){.op = op,
                                         .rd = (uint8_t)rd,
                                         .rs1 = (uint8_t)rs1,
                                         .rs2 = (uint8_t)rs2,
                                         .imm = imm,
                                         .mode = atomic ? 3 : 0}; /* acquire and release */
}

/* Builds the new word: bits of `scratch` in the mask, bits of `old` outside it. */
static void merge(struct atomics_loop *l, uint32_t scratch, uint32_t old, uint32_t mask)
{
  atomics_put(l, SL_OP_XOR, scratch, old, scratch, 0);
  atomics_put(l, SL_OP_AND, scratch, scratch, mask, 0);
  atomics_put(l, SL_OP_XOR, scratch, old, scratch, 0);
}

/* Branches back to the lr if the sc failed. */
static void try_again(struct atomics_loop *l, uint32_t scratch, uint32_t address)
{
  atomics_put(l, SL_OP_SC, scratch, address, scratch, 0);
  atomics_put(l, SL_OP_BNE, 0, scratch, 0, 0 - l->count * SL_WIDE_BYTES);
}

/* Operands: result, scratch, address, compared value, new value; for part of a word also the mask. The exit branch goes
 * past the last word. */
static void compare_exchange(struct atomics_loop *l, const struct sl_lir_operand *o, bool masked)
{
  const uint32_t old = o[0].reg, scratch = o[1].reg, address = o[2].reg, wanted = o[3].reg, value = o[4].reg;
  atomics_put(l, SL_OP_LR, old, address, 0, 0);
  if (masked)
    atomics_put(l, SL_OP_AND, scratch, old, o[5].reg, 0);
  atomics_put(l, SL_OP_BNE, 0, masked ? scratch : old, wanted, (masked ? 7 : 4) * SL_WIDE_BYTES);
  atomics_put(l, SL_OP_ADDI, scratch, value, 0, 0);
  if (masked)
    merge(l, scratch, old, o[5].reg);
  try_again(l, scratch, address);
}

/* Operands: result, scratch, address, the other operand; for part of a word also the mask. */
static void operation(struct atomics_loop *l, const struct sl_lir_operand *o, unsigned opcode)
{
  const uint32_t old = o[0].reg, scratch = o[1].reg, address = o[2].reg, value = o[3].reg;
  atomics_put(l, SL_OP_LR, old, address, 0, 0);
  switch (opcode) {
  case SL_MIR_OP_PseudoMaskedAtomicSwap32: atomics_put(l, SL_OP_ADDI, scratch, value, 0, 0); break;
  case SL_MIR_OP_PseudoMaskedAtomicLoadAdd32: atomics_put(l, SL_OP_ADD, scratch, old, value, 0); break;
  case SL_MIR_OP_PseudoMaskedAtomicLoadSub32: atomics_put(l, SL_OP_SUB, scratch, old, value, 0); break;
  default:
    atomics_put(l, SL_OP_AND, scratch, old, value, 0);
    atomics_put(l, SL_OP_XORI, scratch, scratch, 0, UINT32_MAX);
  }
  if (opcode != SL_MIR_OP_PseudoAtomicLoadNand32)
    merge(l, scratch, old, o[4].reg);
  try_again(l, scratch, address);
}

/* Writes the words of an instruction SL_LIR_COMPARE_EXCHANGE or SL_LIR_ATOMIC_LOOP with physical registers; returns
 * their number. */
static unsigned sl_atomic_loop(const struct sl_lir *lir, const struct sl_lir_insn *insn,
                               struct sl_wide word[SL_MOST_ATOMIC_WORDS])
{
  struct atomics_loop l = {.word = word};
  const struct sl_lir_operand *o = sl_lir_operands(lir, insn);
  if (insn->op == SL_LIR_COMPARE_EXCHANGE)
    compare_exchange(&l, o, insn->csr == SL_MIR_OP_PseudoMaskedCmpXchg32);
  else
    operation(&l, o, insn->csr);
  return l.count;
}

/* A branch whose distance is computed when all blocks have addresses. */
struct jump {
  uint32_t word, block;
};

struct emitter {
  struct sl_unit *unit;
  const struct sl_lir *lir;
  const struct sl_assembler *assembler;
  struct sl_stack_frame frame;
  struct sl_code64 *code;
  size_t count;
  struct jump *jump;
  size_t jump_count;
  uint32_t *goes_to;          /* per block: the first block from it on that does more than jump */
  uint32_t *start;            /* per block: its first word */
  uint32_t label;             /* symbol of the first word */
  uint32_t *constant, *table; /* offsets in the data section */
  uint32_t data_label;        /* symbol of its beginning */
  bool framed;                /* the frame pointer has been set */
  struct sl_error *err;
};

static enum sl_status no_memory(const struct emitter *e)
{
  return sl_no_memory(e->err, sizeof(struct sl_code64));
}

static enum sl_status put(struct emitter *e, const struct sl_lir_insn *at, const struct sl_wide *wide)
{
  if (!SL_GROW(e->code, e->count))
    return no_memory(e);
  e->code[e->count++] = (struct sl_code64){.insn = *wide, .file = at->file, .line = at->line, .column = at->column};
  return SL_OK;
}

static enum sl_status put_op(struct emitter *e, const struct sl_lir_insn *at, enum sl_op op, uint32_t rd, uint32_t rs1,
                             uint32_t imm)
{
  const struct sl_wide wide = {.op = op, .rd = (uint8_t)rd, .rs1 = (uint8_t)rs1, .imm = imm};
  return put(e, at, &wide);
}

static enum sl_status put_jump(struct emitter *e, const struct sl_lir_insn *at, const struct sl_wide *wide,
                               uint32_t block)
{
  if (!SL_GROW(e->jump, e->jump_count))
    return no_memory(e);
  e->jump[e->jump_count++] = (struct jump){(uint32_t)e->count, block};
  return put(e, at, wide);
}

static uint32_t field(const struct emitter *e, const struct sl_lir_insn *insn, enum sl_lir_field which)
{
  const uint32_t reg = sl_lir_field(e->lir, insn, which);
  return reg == SL_LIR_NONE ? 0 : reg;
}

static struct sl_wide wide_of(const struct emitter *e, const struct sl_lir_insn *insn)
{
  return (struct sl_wide){.op = (enum sl_op)insn->op,
                          .rd = (uint8_t)field(e, insn, SL_LIR_RD),
                          .rs1 = (uint8_t)field(e, insn, SL_LIR_RS1),
                          .rs2 = (uint8_t)field(e, insn, SL_LIR_RS2),
                          .rs3 = (uint8_t)field(e, insn, SL_LIR_RS3),
                          .mode = insn->mode,
                          .csr = insn->csr,
                          .imm = insn->imm};
}

/* Emits an instruction whose immediate may be an address. */
static enum sl_status instruction(struct emitter *e, const struct sl_lir_insn *insn, struct sl_wide wide)
{
  const enum sl_lir_place place = (enum sl_lir_place)insn->place;
  uint32_t symbol = 0, addend = insn->imm;
  switch (place) {
  case SL_LIR_NUMBER:
  case SL_LIR_BLOCK: return put(e, insn, &wide);
  case SL_LIR_OBJECT:
  case SL_LIR_FIXED: wide.imm += (uint32_t)sl_object_offset(&e->frame, place, insn->target); return put(e, insn, &wide);
  case SL_LIR_SYMBOL: symbol = sl_unit_symbol(e->unit, insn->target); break;
  case SL_LIR_CONSTANT:
  case SL_LIR_TABLE:
    symbol = e->data_label;
    addend += place == SL_LIR_TABLE ? e->table[insn->target] : e->constant[insn->target];
  }
  wide.imm = 0;
  const enum sl_status status = symbol == UINT32_MAX ? no_memory(e) : put(e, insn, &wide);
  if (status == SL_OK) {
    e->code[e->count - 1].fix = (enum sl_fix64)insn->fix;
    e->code[e->count - 1].symbol = symbol;
    e->code[e->count - 1].addend = (int32_t)addend;
  }
  return status;
}

static enum sl_status lower_stack(struct emitter *e, const struct sl_lir_insn *at)
{
  return e->frame.size == 0 ? SL_OK : put_op(e, at, SL_OP_ADDI, SL_SP, SL_SP, 0 - e->frame.size);
}

/* Restores the caller's stack pointer, then jumps. */
static enum sl_status leave(struct emitter *e, const struct sl_lir_insn *insn)
{
  enum sl_status status = e->frame.size == 0 ? SL_OK : put_op(e, insn, SL_OP_ADDI, SL_SP, SL_SP, e->frame.size);
  if (status != SL_OK)
    return status;
  if (insn->op == SL_LIR_RETURN)
    return put_op(e, insn, SL_OP_JALR, SL_ZERO, SL_RA, 0);
  if (insn->op == SL_LIR_TAIL_REGISTER)
    return put_op(e, insn, SL_OP_JALR, SL_ZERO, field(e, insn, SL_LIR_RS1), 0);
  return instruction(e, insn, (struct sl_wide){.op = SL_OP_JAL});
}

static enum sl_status set_frame(struct emitter *e, const struct sl_lir_insn *insn)
{
  e->framed = true;
  const enum sl_status status = put_op(e, insn, SL_OP_ADDI, SL_FP, SL_SP, e->frame.size);
  return status == SL_OK && e->frame.alignment != 0 ? put_op(e, insn, SL_OP_ANDI, SL_SP, SL_SP, 0 - e->frame.alignment)
                                                    : status;
}

/* Emits loads and stores of slots. */
static enum sl_status slot(struct emitter *e, const struct sl_lir_insn *insn)
{
  const struct sl_lir_operand *operand = sl_lir_operands(e->lir, insn);
  const bool load = insn->op == SL_LIR_RELOAD;
  const uint32_t number = operand[load ? 1 : 0].reg - SL_LIR_VIRTUAL;
  const struct sl_wide wide = {.op = load ? SL_OP_LW : SL_OP_SW,
                               .rd = (uint8_t)operand[0].reg,
                               .rs1 = e->framed ? SL_FP : SL_SP,
                               .rs2 = (uint8_t)operand[1].reg,
                               .imm = (uint32_t)sl_slot_offset(&e->frame, number, e->framed)};
  return put(e, insn, &wide);
}

static enum sl_status assembly(struct emitter *e, const struct sl_lir_insn *insn)
{
  if (e->assembler == NULL || e->assembler->assemble == NULL)
    return sl_fail(e->err, SL_USAGE, "it has inline assembly, but there is no assembler");
  char *text;
  struct sl_code64 *code = NULL;
  size_t count = 0;
  enum sl_status status = sl_inline_assembly(&e->frame, insn, (uint32_t)e->count, &text, e->err);
  if (status != SL_OK)
    return status;
  status = e->assembler->assemble(e->assembler->context, text, e->unit->object, &code, &count, e->err);
  for (size_t i = 0; status == SL_OK && i < count; i++) {
    status = put(e, insn, &code[i].insn);
    if (status == SL_OK) {
      e->code[e->count - 1].fix = code[i].fix;
      e->code[e->count - 1].symbol = code[i].symbol;
      e->code[e->count - 1].addend = code[i].addend;
    }
  }
  free(code);
  free(text);
  return status;
}

static enum sl_status loop(struct emitter *e, const struct sl_lir_insn *insn)
{
  struct sl_wide word[SL_MOST_ATOMIC_WORDS];
  const unsigned count = sl_atomic_loop(e->lir, insn, word);
  enum sl_status status = SL_OK;
  for (unsigned i = 0; status == SL_OK && i < count; i++)
    status = put(e, insn, &word[i]);
  return status;
}

static enum sl_status pseudo(struct emitter *e, const struct sl_lir_insn *insn)
{
  const uint32_t rd = field(e, insn, SL_LIR_RD), rs1 = field(e, insn, SL_LIR_RS1);
  switch (insn->op) {
  case SL_LIR_COPY: return rd == rs1 || rd == SL_ZERO ? SL_OK : put_op(e, insn, SL_OP_ADDI, rd, rs1, 0);
  case SL_LIR_CALL: return instruction(e, insn, (struct sl_wide){.op = SL_OP_JAL, .rd = SL_RA});
  case SL_LIR_CALL_REGISTER: return put_op(e, insn, SL_OP_JALR, SL_RA, rs1, 0);
  case SL_LIR_TAIL:
  case SL_LIR_TAIL_REGISTER:
  case SL_LIR_RETURN: return leave(e, insn);
  case SL_LIR_JUMP_REGISTER: return put_op(e, insn, SL_OP_JALR, SL_ZERO, rs1, insn->imm);
  case SL_LIR_STACK: return put_op(e, insn, SL_OP_ADDI, SL_SP, SL_SP, insn->imm);
  case SL_LIR_TRAP: {
    const struct sl_wide unimplemented = {.op = SL_OP_CSRRW, .csr = 0xc00};
    return put(e, insn, &unimplemented);
  }
  case SL_LIR_ASSEMBLY: return assembly(e, insn);
  case SL_LIR_COMPARE_EXCHANGE:
  case SL_LIR_ATOMIC_LOOP: return loop(e, insn);
  case SL_LIR_RELOAD:
  case SL_LIR_SPILL: return slot(e, insn);
  case SL_LIR_FRAME: return set_frame(e, insn);
  case SL_LIR_UNFRAME: return put_op(e, insn, SL_OP_ADDI, SL_SP, SL_FP, 0 - e->frame.size);
  default: return SL_OK;
  }
}

static enum sl_op opposite(enum sl_op op)
{
  switch (op) {
  case SL_OP_BEQ: return SL_OP_BNE;
  case SL_OP_BNE: return SL_OP_BEQ;
  case SL_OP_BLT: return SL_OP_BGE;
  case SL_OP_BGE: return SL_OP_BLT;
  case SL_OP_BLTU: return SL_OP_BGEU;
  default: return SL_OP_BLTU;
  }
}

/* Returns the block that follows this one in memory. */
static uint32_t next_block(const struct emitter *e, uint32_t block)
{
  do
    block++;
  while (block < e->lir->block_count && e->goes_to[block] != block);
  return block;
}

static double probability(const struct emitter *e, uint32_t block, uint32_t to)
{
  const struct sl_lir_block *b = &e->lir->block[block];
  double sum = 0;
  for (uint32_t i = 0; i < b->edge_count; i++)
    if (e->goes_to[e->lir->edge[b->edge + i]] == to)
      sum += e->lir->source->edge[b->edge + i].probability;
  return sum;
}

static enum sl_status jump_to(struct emitter *e, const struct sl_lir_insn *at, uint32_t block, uint32_t to)
{
  return to == next_block(e, block) ? SL_OK : put_jump(e, at, &(struct sl_wide){.op = SL_OP_JAL}, to);
}

/* Emits a branch and its jump. The next block in memory needs no jump; otherwise the branch takes the more frequent
 * path. */
static enum sl_status branch(struct emitter *e, uint32_t block, const struct sl_lir_insn *insn,
                             const struct sl_lir_insn *jump)
{
  struct sl_wide wide = wide_of(e, insn);
  uint32_t taken = e->goes_to[insn->target], other = jump != NULL ? e->goes_to[jump->target] : UINT32_MAX;
  const uint32_t next = next_block(e, block);
  wide.imm = 0;
  if (taken == other)
    return jump_to(e, jump, block, other);
  if (jump != NULL && other != next && (taken == next || probability(e, block, other) > probability(e, block, taken))) {
    wide.op = opposite(wide.op);
    const uint32_t swap = taken;
    taken = other;
    other = swap;
  }
  const enum sl_status status = put_jump(e, insn, &wide, taken);
  return status == SL_OK && jump != NULL ? jump_to(e, jump, block, other) : status;
}

static enum sl_status emit_block(struct emitter *e, uint32_t b)
{
  const struct sl_lir_block *block = &e->lir->block[b];
  const struct sl_lir_insn *insn = e->lir->insn + block->insn;
  enum sl_status status = SL_OK;
  static const struct sl_lir_insn nowhere = {.line = 0};
  e->start[b] = (uint32_t)e->count;
  if (b == 0)
    status = lower_stack(e, block->insn_count > 0 ? insn : &nowhere);
  for (uint32_t i = 0; status == SL_OK && i < block->insn_count; i++) {
    const struct sl_lir_insn *at = &insn[i];
    if (sl_lir_is_branch(at)) {
      const bool pair = i + 2 == block->insn_count && insn[i + 1].op == SL_LIR_JUMP;
      status = branch(e, b, at, pair ? &insn[i + 1] : NULL);
      i += pair;
    } else if (at->op == SL_LIR_JUMP) {
      status = jump_to(e, at, b, e->goes_to[at->target]);
    } else {
      status = at->op < SL_OP_COUNT ? instruction(e, at, wide_of(e, at)) : pseudo(e, at);
    }
  }
  return status;
}

/* Jump threading: removes blocks that only jump. */
static void thread(struct emitter *e)
{
  const struct sl_lir *lir = e->lir;
  for (uint32_t b = 0; b < lir->block_count; b++) {
    uint32_t at = b;
    for (size_t steps = 0; at != 0 && lir->block[at].insn_count == 1 && steps <= lir->block_count; steps++) {
      const struct sl_lir_insn *insn = &lir->insn[lir->block[at].insn];
      if (insn->op != SL_LIR_JUMP)
        break;
      at = insn->target;
    }
    const bool round =
        at != b && lir->block[at].insn_count == 1 && lir->insn[lir->block[at].insn].op == SL_LIR_JUMP && at != 0;
    e->goes_to[b] = round ? b : at;
  }
}

/* Returns ".text.NAME", or the section that the source specifies. */
static char *section_name(const struct sl_mir_function *f, const char *prefix)
{
  if (f->section != NULL && strcmp(prefix, ".text.") == 0)
    return strdup(f->section);
  char *name = malloc(strlen(prefix) + strlen(f->name) + 1);
  if (name != NULL)
    sprintf(name, "%s%s", prefix, f->name);
  return name;
}

static uint32_t align_up(uint32_t value, uint32_t alignment)
{
  return (value + alignment - 1) / alignment * alignment;
}

/* Reserves constants and tables before the code that refers to them. Their contents follow when the addresses are
 * known. */
static enum sl_status data_section(struct emitter *e)
{
  const struct sl_mir_function *f = e->lir->source;
  uint32_t size = 0, alignment = 4;
  for (size_t i = 0; i < f->constant_count; i++) {
    const uint32_t own = f->constant[i].alignment > 0 ? f->constant[i].alignment : 1;
    alignment = own > alignment ? own : alignment;
    e->constant[i] = align_up(size, own);
    size = e->constant[i] + f->constant[i].size;
  }
  for (size_t i = 0; i < f->table_count; i++) {
    e->table[i] = align_up(size, 4);
    size = e->table[i] + 4 * f->table[i].target_count;
  }
  if (size == 0)
    return SL_OK;
  struct sl_section64 section = {.name = section_name(f, ".rodata."), .alignment = alignment, .size = size};
  section.bytes = sl_zeroed(size, 1);
  section.fixes = sl_zeroed(f->target_count, sizeof *section.fixes);
  if (section.name == NULL || section.bytes == NULL || section.fixes == NULL) {
    free(section.name);
    free(section.bytes);
    free(section.fixes);
    return no_memory(e);
  }
  for (size_t i = 0; i < f->constant_count; i++)
    memcpy(section.bytes + e->constant[i], f->constant[i].bytes, f->constant[i].size);
  const uint32_t number = sl_unit_section(e->unit, &section);
  e->data_label = number == UINT32_MAX ? UINT32_MAX : sl_unit_label(e->unit, number);
  return e->data_label == UINT32_MAX ? no_memory(e) : SL_OK;
}

static void fill_tables(struct emitter *e)
{
  const struct sl_mir_function *f = e->lir->source;
  if (f->table_count == 0)
    return;
  struct sl_section64 *section = &e->unit->object->sections[e->unit->object->symbols[e->data_label].section];
  for (size_t i = 0; i < f->table_count; i++)
    for (uint32_t k = 0; k < f->table[i].target_count; k++) {
      const uint32_t block = e->goes_to[e->lir->placed[f->target[f->table[i].target + k]]];
      section->fixes[section->fix_count++] =
          (struct sl_data_fix64){.fix = SL_FIX_WORD,
                                 .offset = e->table[i] + 4 * k,
                                 .symbol = e->label,
                                 .addend = (int32_t)(e->start[block] * SL_WIDE_BYTES)};
    }
}

/* Defines the function's symbol, which may already be referenced. */
static enum sl_status define(struct emitter *e, uint32_t section)
{
  const struct sl_mir_function *f = e->lir->source;
  const uint32_t text = sl_mir_text(e->lir->module, f->name, strlen(f->name));
  const uint32_t number = text == UINT32_MAX ? UINT32_MAX : sl_unit_symbol(e->unit, text);
  if (number == UINT32_MAX)
    return no_memory(e);
  struct sl_symbol64 *symbol = &e->unit->object->symbols[number];
  symbol->section = section;
  symbol->size = (uint32_t)e->count * SL_WIDE_BYTES;
  symbol->global = !f->local;
  symbol->weak = f->weak;
  symbol->function = true;
  return SL_OK;
}

static enum sl_status code_section(struct emitter *e, uint32_t *number)
{
  const struct sl_section64 section = {
      .name = section_name(e->lir->source, ".text."), .executable = true, .alignment = SL_WIDE_BYTES};
  *number = sl_unit_section(e->unit, &section);
  e->label = *number == UINT32_MAX ? UINT32_MAX : sl_unit_label(e->unit, *number);
  return e->label == UINT32_MAX ? no_memory(e) : SL_OK;
}

static bool allocate(struct emitter *e)
{
  const struct sl_lir *lir = e->lir;
  e->goes_to = sl_zeroed(lir->block_count, sizeof *e->goes_to);
  e->start = sl_zeroed(lir->block_count, sizeof *e->start);
  e->constant = sl_zeroed(lir->source->constant_count, sizeof *e->constant);
  e->table = sl_zeroed(lir->source->table_count, sizeof *e->table);
  return e->goes_to != NULL && e->start != NULL && e->constant != NULL && e->table != NULL;
}

enum sl_status sl_emit(struct sl_unit *unit, const struct sl_lir *lir, const struct sl_allocation_facts *facts,
                       const struct sl_assembler *assembler, struct sl_error *err)
{
  struct emitter e = {.unit = unit, .lir = lir, .assembler = assembler, .err = err};
  uint32_t section = 0;
  enum sl_status status = allocate(&e) ? sl_stack_frame_init(&e.frame, lir, facts, err) : no_memory(&e);
  if (status == SL_OK)
    status = code_section(&e, &section);
  if (status == SL_OK)
    status = data_section(&e);
  if (status == SL_OK) {
    thread(&e);
    for (uint32_t b = 0; status == SL_OK && b < lir->block_count; b++)
      if (e.goes_to[b] == b)
        status = emit_block(&e, b);
  }
  for (size_t i = 0; status == SL_OK && i < e.jump_count; i++)
    e.code[e.jump[i].word].insn.imm = (e.start[e.jump[i].block] - e.jump[i].word) * SL_WIDE_BYTES;
  if (status == SL_OK) {
    fill_tables(&e);
    struct sl_section64 *own = &unit->object->sections[section];
    own->code = e.code;
    own->code_count = e.count;
    own->size = (uint32_t)e.count * SL_WIDE_BYTES;
    e.code = NULL;
    status = define(&e, section);
  }
  sl_stack_frame_free(&e.frame);
  free(e.code);
  free(e.jump);
  free(e.goes_to);
  free(e.start);
  free(e.constant);
  free(e.table);
  return status;
}
