/* JIT compiler of the functional engines (mode 2): translates hot blocks to host machine code.
 *
 * An engine that executes basic blocks (func/blocks/basic_blocks.h) calls the JIT first. After some executions the JIT
 * compiles a block and all blocks that it leads to. Steps execute instructions that have no code or may fault, so
 * results are identical with and without it. The JIT requires AVX-512 or AVX2, a system that allows a process to
 * execute the code it has written, 4, 8, 16 or 32 lanes, and flat memory. */
#ifndef SL_WARP_JIT_JIT_H
#define SL_WARP_JIT_JIT_H

#include "func/blocks/basic_blocks.h"

/* Returns true if this host's processor supports the JIT. */
bool sl_jit_here(void);

/* How warps use code beyond its steps. */
struct sl_jit_rules {
  unsigned lanes, slot_shift; /* interleaved stacks: log2 of a slot's bytes */
  int level_max; /* annotations change a path's level, from 0 to this; 0: no effect; -1: they are not steps */
  bool calls;    /* a jump with a link has no other effect */
  bool hammocks; /* diverging lanes may wait for each other (func/blocks/basic_blocks.h) */
};

/* Creates the JIT of initialised basic blocks, if the execution mode and the host allow it. */
void sl_jit_open(struct sl_basic_blocks *b, const struct sl_jit_rules *rules, enum sl_execution_mode mode,
                 bool portable);
void sl_jit_close(struct sl_basic_blocks *b);

/* Drops all compiled blocks. The general case of sl_jit_of. */
void sl_jit_renew(struct sl_basic_blocks *b, const struct sl_code *code);

/* Returns the compiled blocks of the code, or NULL. Call first, after sl_basic_blocks_of(). */
static inline struct sl_jit *sl_jit_of(struct sl_basic_blocks *b, const struct sl_code *code)
{
  if (b->emitted != NULL && __builtin_expect(b->emitted_edition != b->edition, 0))
    sl_jit_renew(b, code);
  return b->emitted;
}

/* Marks an instruction where another path of the warp waits; the running path must stop there. Returns false if it
 * waits inside a block, where the code has no check. */
bool sl_jit_wait(struct sl_jit *e, uint32_t index);
void sl_jit_go(struct sl_jit *e, uint32_t index);

/* Lanes that diverged in the code: `idle` inactive lanes in the instructions executed. If `hammock` has steps, the
 * lanes that did not take its branch have executed `steps` of them. */
struct sl_jit_parting {
  uint64_t idle;
  struct sl_hammock hammock;
  sl_lanes taken;
  uint32_t steps;
};

/* Executes up to `most` instructions from *index, and sets *index to the next one. Returns their number. `some`: some
 * lanes are inactive, or other paths wait. `level`: of the path. `turn`: the rest of the warp's time slice
 * (func/blocks/time_slice.h), unless it ends with the last instruction. Sets b->parting if lanes diverged. */
uint64_t sl_jit_run(struct sl_basic_blocks *b, const struct sl_code *code, struct sl_step_lanes *s, bool some,
                    int16_t *level, uint32_t *index, uint64_t *slice, uint64_t most);

#endif
