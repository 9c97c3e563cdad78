/* Straight stretches of code: steps (steps.h) that follow each other, by the number of their first instruction.
 *
 * A stretch ends before an instruction that is no step: branches, jumps, what is for others to execute, and the last
 * one of the code. Whoever executes one may stop anywhere in it, since registers and memory are up to date after every
 * step. */
#ifndef SL_WARP_BLOCKS_STRETCHES_H
#define SL_WARP_BLOCKS_STRETCHES_H

#include "base/tier.h"
#include "isa/code.h"
#include "warp/blocks/steps.h"

struct sl_emitted;
struct sl_emitted_parting;

struct sl_stretches {
  const struct sl_step_ops *ops; /* NULL: there are none */
  unsigned lane_bits;
  bool floats;                /* floating point has flags and rounding modes */
  uint64_t others;            /* kinds of instructions that are no steps here, as bits 1 << enum sl_kind */
  uint64_t edition;           /* of the code that the following is of */
  uint32_t count;             /* instructions of the code */
  struct sl_step *step;       /* by number of instruction */
  uint16_t *straight;         /* steps from there on that follow each other, and one; 0: not decoded yet */
  uint32_t first, last;       /* what has been decoded is from first to before last */
  struct sl_step_lanes lanes; /* of the warp that executes, for those whose warps differ in little */
  /* Blocks of them as machine code (warp/emitted/emitted.h), and the edition of that; NULL: there are none. */
  struct sl_emitted *emitted;
  uint64_t emitted_edition;
  const struct sl_emitted_parting *parting; /* in the machine code that ran last; NULL: nothing */
};

/* Stretches on so many lanes. `floats` and `others` as above: who steps with floats gives what they need. */
void sl_stretches_init(struct sl_stretches *s, unsigned lanes, unsigned lane_bits, bool floats, uint64_t others,
                       bool portable);
void sl_stretches_free(struct sl_stretches *s);

/* The general cases of what follows. */
bool sl_stretches_renew(struct sl_stretches *s, const struct sl_code *code, uint64_t edition);
uint32_t sl_stretches_decode(struct sl_stretches *s, const struct sl_code *code, uint32_t index);

/* Before any are asked for: what was decoded of another edition of the code is forgotten. False: there are none. */
static inline bool sl_stretches_of(struct sl_stretches *s, const struct sl_code *code, uint64_t edition)
{
  return s->ops != NULL && (__builtin_expect(s->edition == edition, 1) || sl_stretches_renew(s, code, edition));
}

/* Steps from an instruction of the code on. */
static inline uint32_t sl_stretches_from(struct sl_stretches *s, const struct sl_code *code, uint32_t index)
{
  const uint16_t known = s->straight[index];
  return __builtin_expect(known != 0, 1) ? known - 1u : sl_stretches_decode(s, code, index);
}

/* Performs `count` steps, fewer if one of them has to be asked for; returns how many. `all`: on all lanes. */
static inline uint32_t sl_stretches_perform(const struct sl_step_lanes *lanes, const struct sl_step *step,
                                            uint32_t count, bool all)
{
  uint32_t i = 0;
  if (all)
    while (i < count && step[i].all(lanes, &step[i]))
      i++;
  else
    while (i < count && step[i].some(lanes, &step[i]))
      i++;
  return i;
}

#endif
