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
 * top only, so they also hold if the machine moves another group to the top (functions sl_simt_groups_*). */
#ifndef SL_CONVERGENCE_SIMT_STACK_H
#define SL_CONVERGENCE_SIMT_STACK_H

#include "base/livelock.h"
#include "base/schema.h"
#include "convergence/convergence.h"

enum { SL_SIMT_STACK_DEPTH = 128 };

struct sl_simt_stack_entry {
  uint32_t pc, mask, reconvergence;
  uint16_t call;  /* the entry belongs to a called function */
  uint16_t order; /* among the entries above the same one: its place when a group was last moved to the top */
};

/* Whose turn it is. Without a period it has no meaning. */
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

const struct sl_schema *sl_simt_stack_schema(void);

/* Validates a restored stack of a warp with these lanes; `can_be` checks each pc that they can reach. An entry may have
 * no pc if all its lanes must end or return before they reach it. */
bool sl_simt_stack_valid(const struct sl_simt_stack *stack, uint32_t lanes,
                         bool (*can_be)(const void *context, uint32_t pc), const void *context);

/* Groups of a warp that take turns on the SIMT stack: the schemes `its` and `hanoi` of sm7.
 *
 * Under `stack` the top of the SIMT stack runs until it meets the others, so a lane that waits for one below it waits
 * for ever. Here every group of lanes with a pc can run. Each divergent branch is a convergence barrier as before: its
 * lanes are added at the branch and wait at its post-dominator. A group that has its turn moves to the top of the
 * stack, with the entries of its barriers.
 *
 * its: the order is that of the stack, with the bound of convergence/convergence.h over it. With a period of N, an
 * instruction of a warp whose other lanes could run adds 1 to `turns`. At N the lanes that have had no turn for longest
 * are favoured: their group goes first for N instructions of its own, then the order of the stack rules again. Lanes
 * that wait at a convergence barrier queue up behind all others when they arrive. When their turn comes, all groups
 * have had one, and the barrier is released: the lanes that have not come count as yielded (US patent 10,067,768), go
 * their own way, and wait for each other only.
 *
 * hanoi: the stack is a work stack, and its convergence barriers are a reconvergence stack (Abaie Shoushtary et al.,
 * Control Flow Management in Modern GPUs, arXiv 2407.02944). Its instructions are part of the branches: BSSY at a
 * divergent branch, BSYNC at the post-dominator, YIELD and BREAK at backward branches. A group yields there once the
 * warp has executed N instructions since the last yield: the lanes without a turn for longest go to the top, and stay
 * in this order. If they wait at a barrier, those that have not come leave it (BREAK). When YIELD and BREAK act is
 * ours.
 *
 * Both: lanes at a barrier of the block are parked until all live lanes of their warp are at one. Lanes at an
 * instruction for several lanes (__syncwarp, shuffles, votes: WARPSYNC) are parked until its members are there.
 *
 * Bound of its: with P groups and sets of lanes that wait, each lane that is not parked executes within (P - 1) * 2N +
 * N instructions of its warp. Timing: a change of groups takes no cycle of its own; the warp's instruction buffer is
 * flushed as after a branch. No cycle counts of hardware exist for either scheme. */

/* ---- the tree (simt_stack.c) ------------------------------------------------------------------------------------ */

/* The uppermost group with lanes among these; the depth if there is none. */
uint32_t sl_simt_groups_first(const struct sl_simt_stack *s, uint32_t lanes);

/* The number behind the last entry above entry i with lanes of it. */
uint32_t sl_simt_groups_end_of(const struct sl_simt_stack *s, uint32_t i);

/* Entries from `middle` to `end` change places with those from `first` to `middle`. */
void sl_simt_groups_exchange(struct sl_simt_stack *s, uint32_t first, uint32_t middle, uint32_t end);

/* ---- for executors ----------------------------------------------------------------------------------------------- */

/* Selects the scheme of a warp. A period of 0 is `stack`. */
void sl_simt_groups_use(struct sl_simt_stack *s, uint32_t scheme, uint32_t period);

/* Whether lanes of the warp are elsewhere than the running group. */
static inline bool sl_simt_groups_apart(const struct sl_simt_stack *s)
{
  return s->depth > 1 && s->entries[0].mask != sl_simt_stack_mask(s);
}

/* Counts an instruction of the warp, after its effect on the stack. `back`: it was a backward branch. The next group
 * may then be another one. */
void sl_simt_groups_count(struct sl_simt_stack *s, bool back);

/* How many instructions of the running group, none of which changes the stack, do nothing when they are counted but add
 * 1 each to `turns`; UINT64_MAX: any number, and they add nothing. 0: the next one must be counted. */
uint64_t sl_simt_groups_quiet(const struct sl_simt_stack *s);

/* Parks the running group at its pc. Returns true if another group runs next. False: all groups are parked. */
bool sl_simt_groups_park(struct sl_simt_stack *s);

/* Moves a parked group to the top and ends its wait. False: there is none. */
bool sl_simt_groups_unpark(struct sl_simt_stack *s);

/* Moves the parked groups that `at` selects to the top, one per call, and leaves them parked. False: there is none. */
bool sl_simt_groups_find(struct sl_simt_stack *s, bool (*at)(const void *context, uint32_t pc), const void *context);

/* Selects the group that runs next, after groups have moved. */
void sl_simt_groups_select(struct sl_simt_stack *s);

/* The running group executes an instruction for the lanes `members`. True: those that live are here, as one group, or
 * no other group can run. False: the group is parked, and another one runs next. */
bool sl_simt_groups_meet(struct sl_simt_stack *s, uint32_t members);

/* Where a live lane goes on. */
uint32_t sl_simt_groups_pc(const struct sl_simt_stack *s, unsigned lane);

/* Moves the group of a lane to the top and ends its wait. */
void sl_simt_groups_raise(struct sl_simt_stack *s, unsigned lane);

/* Validates restored turns, of a valid stack. */
bool sl_simt_groups_valid(const struct sl_simt_stack *s, uint32_t lanes);

/* Livelock detection: whether the warp spins (`spins`, a trial of the group on top, which leaves the stack). Where
 * groups take turns, each that is not parked must spin on its own, with all its lanes. As memory then never changes,
 * they do so in every order. *spin is that of the first one, with the lanes of all. */
bool sl_simt_groups_spin(struct sl_simt_stack *s, bool (*spins)(void *context, struct sl_spin *spin), void *context,
                         struct sl_spin *spin);

#endif
