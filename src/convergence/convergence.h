/* The interface of a convergence scheme: which lanes of a warp run, and where diverged lanes meet again.
 *
 * A scheme is one file of this folder and a row of convergence_schemes.def. A *group* is a set of lanes of a warp with
 * the same pc that execute together; a scheme that keeps several groups that can run numbers them, others have group 0
 * only. The executor tells the scheme what happens to the running group; the scheme changes the warp's state, of which
 * it may keep a part that only it knows. A function that a scheme does not need is NULL.
 *
 * The functions take the state as `void *`: struct sl_paths for the schemes of SIMTight and Simty, which choose among
 * groups (paths.h); struct sl_ipdom_warp for those of Vortex, which have one mask (ipdom_stack.h); struct sl_simt_stack
 * for sm7's (simt_groups.h), where a group is an entry of the stack. A branch of sm7 names the pc where its lanes meet
 * again, and calls and returns are entries of the stack, so its executors call the functions of simt_stack.h; the
 * scheme decides which group runs. */
#ifndef SL_CONVERGENCE_CONVERGENCE_H
#define SL_CONVERGENCE_CONVERGENCE_H

#include "base/types.h"

/* Convergence instructions of a program. */
enum sl_mark_kind {
  SL_MARK_PUSH,      /* the lanes enter a nested statement */
  SL_MARK_POP,       /* they leave it */
  SL_MARK_SPLIT,     /* `lanes` run first, the others of the group afterwards from the same pc */
  SL_MARK_JOIN,      /* the lanes have finished their side of the latest split */
  SL_MARK_PREDICATE, /* `lanes` stay in a loop; if there are none, `others` go on behind it */
  SL_MARK_MASK,      /* `lanes` run on; none: the running lanes end */
  SL_MARK_YIELD,     /* other lanes of the warp may run first */
  SL_MARK_BARRIER,   /* the lanes join the convergence barrier `number` */
  SL_MARK_WAIT       /* they wait there for the other lanes that have joined it */
};

struct sl_mark {
  enum sl_mark_kind kind;
  sl_lanes lanes, others;
  unsigned room;   /* entries that the machine has: SPLIT of the stack, YIELD of the pool of parked groups */
  unsigned number; /* of a convergence barrier */
  bool nests;      /* PREDICATE: each loop keeps its own lanes that have left it */
  bool unguarded;  /* a use that the hardware does not support has the hardware's effect, instead of a fault */
};

/* What a mark has done. */
enum sl_marked {
  SL_MARKED,         /* the group goes on behind it */
  SL_MARKED_JUMPED,  /* other lanes go on at another pc */
  SL_MARKED_POPPED,  /* the same, from the pool of parked groups, which takes longer */
  SL_MARKED_FILLED,  /* the same, and pending lanes stay, because the pool is full */
  SL_MARKED_ENDS,    /* no lane of the warp is left */
  SL_MARKED_FULL,    /* too many marks are open; nothing has changed */
  SL_MARKED_EMPTY,   /* no mark is open; nothing has changed */
  SL_MARKED_PARKED,  /* lanes that another loop has parked would be lost; nothing has changed */
  SL_MARKED_OPEN,    /* lanes would change inside of a split; nothing has changed */
  SL_MARKED_STARVED, /* pending lanes would go on waiting, because the pool is full; nothing has changed */
  SL_MARKED_LEAVES,  /* lanes that are parked would be left behind; nothing has changed */
  SL_MARKED_MOVES,   /* lanes that run elsewhere would be moved; nothing has changed */
  SL_MARKED_STUCK    /* all lanes of the warp wait at convergence barriers */
};

/* Which group of the SIMT stack has its turn after an instruction. */
enum sl_turn {
  SL_TURN_GOES_ON, /* the one that runs */
  SL_TURN_SELECTS, /* the one that the scheme selects */
  SL_TURN_NEXT,    /* the one without a turn for longest, which is favoured */
  SL_TURN_YIELDS,  /* the same; the lanes that have run queue up behind all others */
  SL_TURN_ENDS     /* that of the favoured group is over */
};

/* Lanes of a warp at one pc; pc 0: where lanes of the warp reconverge. */
struct sl_warp_path {
  sl_lanes lanes;
  uint32_t pc;
};

/* Appends those of the lanes that have not been told. */
static inline void sl_tell_path(struct sl_warp_path *path, unsigned *count, sl_lanes *told, sl_lanes lanes, uint32_t pc)
{
  if ((lanes & ~*told) != 0)
    path[(*count)++] = (struct sl_warp_path){lanes & ~*told, pc};
  *told |= lanes;
}

struct sl_path;

struct sl_convergence {
  const char *name;
  bool levels_are_marks; /* a group's level counts open marks, 0 to SL_NEST_MAX; else it counts calls */
  bool order_is_known; /* the level, and pc or lanes, of all groups decide who is next (func/blocks/diverged_paths.c) */

  /* Lanes of the warp begin: those that run. NULL: nothing to do. */
  void (*start)(void *warp);
  /* The group that runs next, if there are several. */
  unsigned (*select)(const void *warp);
  /* Whether path a runs before path b (struct sl_path). NULL: the order is not known. */
  bool (*before)(const struct sl_path *a, const struct sl_path *b);
  /* A group has a new pc or level, and there are several. Its number may change. SIMT stack: another group will be
   * selected; this restores the order of groups that a turn has moved. */
  void (*settle)(void *warp, unsigned group);
  /* The lanes `taken` of a group, a proper subset, go to `taken_pc`, the others to `pc`. NULL: one lane decides. */
  void (*branch)(void *warp, unsigned group, sl_lanes taken, uint32_t taken_pc, uint32_t pc);
  /* Lane l of a group goes to target[l]. */
  void (*scatter)(void *warp, unsigned group, const uint32_t *target);
  /* A group executes a mark. NULL: marks have no effect. */
  enum sl_marked (*mark)(void *warp, unsigned group, const struct sl_mark *mark);
  /* The group's instruction will be fetched again. NULL: this changes nothing. */
  void (*retry)(void *warp, unsigned group);
  /* A group that is not the whole warp arrives at a warp command. Returns true if it waits there, because others may
   * have to run first. NULL: it never waits. */
  bool (*arrive)(void *warp, unsigned group);
  /* Whether several groups can run. NULL: the machine knows. */
  bool (*apart)(const void *warp);
  /* Moves a lane to another pc (debugger). */
  void (*place)(void *warp, unsigned lane, uint32_t pc);
  /* Validates the part of the state that only the scheme knows: of a checkpoint, with the warp's lanes. */
  bool (*valid)(const void *warp, sl_lanes lanes);
  /* Checks the invariants of the same part. Returns NULL or the broken one. */
  const char *(*broken)(const void *warp, sl_lanes lanes);
  /* The lanes that run, and those that can run before others have come somewhere: neither at a barrier nor held by a
   * split. NULL: the machine does not ask. */
  sl_lanes (*ready)(const void *warp);
  /* SIMT stack: an instruction of a warp whose lanes are apart has been counted (simt_groups.h); `back`: it was a
   * backward branch. NULL: the group on top runs until it meets others. */
  enum sl_turn (*count)(void *warp, bool back);
  /* SIMT stack: until the period has passed, an instruction that changes no stack only adds 1 to `turns`. */
  bool counts_ahead;
  /* Sets the lanes of the warp by place, first those that run. Returns the number of places. */
  unsigned (*places)(const void *warp, struct sl_warp_path path[SL_MAX_LANES]);
};

/* The numbers of the schemes: of their rows. A checkpoint contains them, so new rows come last. */
enum sl_scheme {
#define SCHEME(ID, object, name, warps) SL_CONVERGENCE_##ID,
#include "convergence/convergence_schemes.def"
#undef SCHEME
  SL_CONVERGENCE_SCHEMES
};

/* The warps that a scheme is for. OPTION: a form of another scheme. */
enum sl_scheme_warps { SL_SCHEME_PATHS, SL_SCHEME_VORTEX, SL_SCHEME_MASK, SL_SCHEME_OPTION };

/* By number. */
extern const struct sl_convergence *const sl_convergences[SL_CONVERGENCE_SCHEMES];
extern const enum sl_scheme_warps sl_scheme_warps[SL_CONVERGENCE_SCHEMES];

/* How many schemes are for these warps. */
#define SCHEME(ID, object, name, warps) +(SL_SCHEME_##warps == SL_SCHEME_PATHS)
enum {
  SL_PATHS_SCHEMES =
#include "convergence/convergence_schemes.def"
};
#undef SCHEME
#define SCHEME(ID, object, name, warps) +(SL_SCHEME_##warps == SL_SCHEME_VORTEX)
enum {
  SL_VORTEX_SCHEMES =
#include "convergence/convergence_schemes.def"
};
#undef SCHEME
#define SCHEME(ID, object, name, warps) +(SL_SCHEME_##warps == SL_SCHEME_MASK)
enum {
  SL_MASK_SCHEMES =
#include "convergence/convergence_schemes.def"
};
#undef SCHEME

/* Their names and NULL, in the order of the rows: choices of a key. */
extern const char *const sl_schemes_of_paths[SL_PATHS_SCHEMES + 1];
extern const char *const sl_schemes_of_vortex[SL_VORTEX_SCHEMES + 1];
extern const char *const sl_schemes_of_masks[SL_MASK_SCHEMES + 1];

/* The scheme of such a choice. */
enum sl_scheme sl_scheme_of(enum sl_scheme_warps warps, unsigned choice);

/* The first of the places with some of these lanes, and which they are; none: there is no such place. */
static inline struct sl_warp_path sl_lanes_among(const struct sl_warp_path *path, unsigned count, sl_lanes lanes)
{
  unsigned i = 0;
  while (i < count && (path[i].lanes & lanes) == 0)
    i++;
  return i < count ? (struct sl_warp_path){path[i].lanes & lanes, path[i].pc} : (struct sl_warp_path){.lanes = 0};
}

/* The same for the places of a warp. */
struct sl_warp_path sl_lanes_at(enum sl_scheme scheme, const void *warp, sl_lanes lanes);

/* Adds `more` to what the lanes have waited, or ends the wait of those that do not wait. Returns the longest wait. */
unsigned sl_lanes_longest_wait(uint32_t *waited, sl_lanes waits, unsigned more, unsigned lanes);

#endif
