/* Registers of PTX that no instruction on any way to here has written. Only uses that matter are defects: guards,
 * addresses, and what instructions write to memory or exchange. Compilers put undefined values together with others. */
#include <stdlib.h>
#include <string.h>

#include "observe/check/check_state.h"
#include "ptx/ptx_passes.h"

enum { MOST_WORDS = 1 << 22 /* of the sets; a larger kernel is not examined */ };

struct definitions {
  struct sl_ptx_blocks blocks;
  uint32_t words;
  uint64_t *before; /* by block: registers that may be written */
  uint64_t *now;
};

static bool has(const uint64_t *set, uint16_t id)
{
  return id == SL_PTX_NO_REG || (set[id / 64] >> id % 64 & 1) != 0;
}

static void define(uint64_t *set, const struct sl_ptx_insn *in)
{
  for (unsigned i = 0; i < sl_ptx_dsts(in); i++)
    if (sl_ptx_dst(in, i).id != SL_PTX_NO_REG)
      set[sl_ptx_dst(in, i).id / 64] |= sl_bit(sl_ptx_dst(in, i).id % 64);
}

/* Passes what is written at the end of a block to its successors. Returns whether they change. */
static bool pass_on(struct definitions *d, uint32_t block)
{
  bool changed = false;
  memcpy(d->now, d->before + (size_t)block * d->words, d->words * sizeof *d->now);
  for (uint32_t pc = d->blocks.first[block]; pc < d->blocks.first[block + 1]; pc++)
    define(d->now, &d->blocks.code[pc]);
  for (unsigned i = 0; i < 2; i++) {
    const uint32_t node = d->blocks.next[block + 1][i];
    for (uint32_t w = 0; node != 0 && w < d->words; w++) {
      uint64_t *to = &d->before[(size_t)(node - 1) * d->words + w];
      changed |= (d->now[w] & ~*to) != 0;
      *to |= d->now[w];
    }
  }
  return changed;
}

static bool uses_unwritten(const uint64_t *written, const struct sl_ptx_insn *in)
{
  const bool matters = in->kind == SL_PTX_K_STORE || in->kind == SL_PTX_K_ATOMIC;
  bool unwritten = !has(written, in->guard.id) || !has(written, in->address.id);
  for (unsigned i = 0; matters && i < sl_ptx_srcs(in); i++)
    unwritten |= !has(written, sl_ptx_src(in, i).id);
  return unwritten;
}

/* Marks the instructions that use such a register. */
static void mark(struct sl_check *check, struct definitions *d)
{
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t b = 0; b < d->blocks.blocks; b++)
      changed |= pass_on(d, b);
  }
  for (uint32_t b = 0; b < d->blocks.blocks; b++) {
    memcpy(d->now, d->before + (size_t)b * d->words, d->words * sizeof *d->now);
    for (uint32_t pc = d->blocks.first[b]; pc < d->blocks.first[b + 1]; pc++) {
      check->unwritten[pc - d->blocks.begin] = uses_unwritten(d->now, &d->blocks.code[pc]);
      check->any_unwritten |= check->unwritten[pc - d->blocks.begin];
      define(d->now, &d->blocks.code[pc]);
    }
  }
}

void sl_check_registers(struct sl_check *check, const struct sl_ptx_module *m, const struct sl_ptx_function *f)
{
  struct definitions d = {.words = (f->registers + 63) / 64};
  free(check->unwritten);
  check->unwritten = NULL;
  check->any_unwritten = false;
  if (check->options.no_uninitialised || f->begin == f->end || d.words == 0)
    return;
  const bool found = sl_ptx_blocks_find(&d.blocks, m->code, f->begin, f->end);
  if (found && (uint64_t)d.blocks.blocks * d.words < MOST_WORDS) {
    d.before = calloc((size_t)d.blocks.blocks * d.words, sizeof *d.before);
    d.now = malloc(d.words * sizeof *d.now);
    check->unwritten = calloc(f->end - f->begin, 1);
    if (d.before != NULL && d.now != NULL && check->unwritten != NULL)
      mark(check, &d);
    else
      check->out_of_memory = true;
  }
  free(d.before);
  free(d.now);
  sl_ptx_blocks_free(&d.blocks);
}
