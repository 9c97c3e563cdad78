/* The SIMT stack of a warp: the lanes that run, and the reconvergence points of diverged lanes.
 *
 * An entry is {pc, mask, reconvergence pc}. At a divergent branch the top entry becomes the entry for the reconvergence
 * point, unless it already reconverges there. The fall-through lanes are pushed, then the lanes that take the branch:
 * the taken side runs first. A side that starts at the reconvergence pc is not pushed. An entry that reaches its
 * reconvergence pc is popped. Lanes that exit are removed from all entries. A call pushes an entry that its return
 * pops. (The rules of GPGPU-Sim's post-dominator stack, derived from its behaviour.) Functional and timed runs share
 * it.
 *
 * Read as a tree, an entry below others with its lanes is a convergence barrier, and the others are the groups that
 * still come; the entries of a group's barriers are below it, next to those of other groups. All rules above change the
 * top only, so they also hold if the machine moves another group to the top (convergence/simt_groups.h). */
#ifndef SL_CONVERGENCE_SIMT_STACK_H
#define SL_CONVERGENCE_SIMT_STACK_H

#include "base/schema.h"
#include "convergence/convergence.h"

enum { SL_SIMT_STACK_DEPTH = 128 };

struct sl_simt_stack_entry {
  uint32_t pc, mask, reconvergence;
  uint16_t call;  /* the entry belongs to a called function */
  uint16_t order; /* among the entries above the same one: its place when a group was last moved to the top */
};

/* Whose turn it is (convergence/simt_groups.h). Without a period it has no meaning. */
struct sl_simt_turns {
  uint32_t scheme;   /* enum sl_scheme */
  uint32_t period;   /* N; 0: the group on top runs */
  uint32_t turns;    /* instructions since a group was favoured; of a favoured one, those that it has executed */
  uint32_t favoured; /* lanes */
  uint32_t parked;   /* lanes at a barrier of the block, or where lanes of the warp wait for each other */
  uint32_t waiting;  /* lanes that have arrived at a convergence barrier */
  uint32_t lanes;    /* that lived when they last were apart */
  uint8_t queue[32]; /* the lanes; those whose group had a turn longest ago come first */
};

struct sl_simt_stack {
  uint32_t depth; /* 0: all lanes have exited */
  struct sl_simt_stack_entry entries[SL_SIMT_STACK_DEPTH];
  struct sl_simt_turns turn;
};

/* Starts with the lanes of `mask` at `pc`. The scheme stays. */
void sl_simt_stack_init(struct sl_simt_stack *s, uint32_t pc, uint32_t mask);

/* The lanes that run next (0 when all have exited), and their pc. */
static inline uint32_t sl_simt_stack_mask(const struct sl_simt_stack *s)
{
  return s->depth ? s->entries[s->depth - 1].mask : 0;
}
static inline uint32_t sl_simt_stack_pc(const struct sl_simt_stack *s)
{
  return s->entries[s->depth - 1].pc;
}

/* Sets the pc of the top entry. */
void sl_simt_stack_advance(struct sl_simt_stack *s, uint32_t pc);

/* The lanes `taken` of the top go to `target`, the others to the next instruction. False if the stack is full. */
bool sl_simt_stack_branch(struct sl_simt_stack *s, uint32_t taken, uint32_t target, uint32_t reconvergence);

/* The same, but the others run first, if neither side is at the reconvergence pc. */
bool sl_simt_stack_branch_last(struct sl_simt_stack *s, uint32_t taken, uint32_t target, uint32_t reconvergence);

/* The lanes of the top that are in `lanes` execute the instruction first, then the others; all reconverge after it.
 * False if the stack is full. */
bool sl_simt_stack_split(struct sl_simt_stack *s, uint32_t lanes);

/* The lanes exit; the other lanes of the top continue with the next instruction. */
void sl_simt_stack_exit(struct sl_simt_stack *s, uint32_t lanes);

/* All lanes of the top call the function at `target`, and return together. False if the stack is full. */
bool sl_simt_stack_call(struct sl_simt_stack *s, uint32_t target);

/* The lanes return; after the last of them the caller continues. */
void sl_simt_stack_return(struct sl_simt_stack *s, uint32_t lanes);

/* A scheme's `places`. */
unsigned sl_simt_stack_places(const void *warp, struct sl_warp_path path[SL_MAX_LANES]);

const struct sl_schema *sl_simt_stack_schema(void);

/* Validates a restored stack of a warp with these lanes; `can_be` checks each pc that they can reach. An entry may have
 * no pc if all its lanes must end or return before they reach it. */
bool sl_simt_stack_valid(const struct sl_simt_stack *stack, uint32_t lanes,
                         bool (*can_be)(const void *context, uint32_t pc), const void *context);

#endif
