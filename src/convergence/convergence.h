/* The interface of a convergence scheme: which lanes of a warp run, and where diverged lanes meet again.
 *
 * A scheme is one file of this folder and a row of convergence_schemes.def. A *group* is a set of lanes of a warp with
 * the same pc that execute together; a scheme that keeps several groups that can run numbers them, others have group 0
 * only. The executor tells the scheme what happens to the running group; the scheme changes the warp's state, of which
 * it may keep a part that only it knows. A function that a scheme does not need is NULL.
 *
 * The functions take the state as `void *`: struct sl_paths for the schemes of SIMTight and Simty, which choose among
 * groups (convergence.h); struct sl_ipdom_warp for those of Vortex, which have one mask (ipdom_stack.h); struct
 * sl_simt_stack for sm7's (simt_stack.h), where a group is an entry of the stack. A branch of sm7 names the pc where
 * its lanes meet again, and calls and returns are entries of the stack, so its executors call the functions of
 * simt_stack.h; the scheme decides which group runs. */
#ifndef SL_CONVERGENCE_CONVERGENCE_H
#define SL_CONVERGENCE_CONVERGENCE_H

#include "base/types.h"

/* A bound on the waiting of paths, laid over the order of a scheme (ours; no published hardware has it).
 *
 * A scheme selects by place, so a path may wait for ever: for example the lane that holds a lock, while others spin.
 * With a period of N, each instruction of the warp that finds more than one eligible path adds 1 to `turns`. At N the
 * eligible path that has waited longest is *favoured*. It goes first, whatever the order says, until it has executed N
 * instructions, has ended or is not eligible. If it splits, the part that the order prefers stays favoured; if it meets
 * another path in the same state, they merge as always. Replays count as instructions.
 *
 * A path at a warp command (barrier or end) is parked there, and not eligible, until all other lanes of the warp are
 * there, too. If only parked paths are left, the command is a fault as without fairness.
 *
 * Simty's tables know the order only in part. There the favoured path becomes the running one by force: it changes
 * places with it, which counts as a use of the cold context table. It merges with an equal path when that is the next
 * one.
 *
 * Bound: among P eligible paths, each executes an instruction within (P - 1) * 2N + N instructions of its warp. The
 * order changes only where lanes meet, never what they compute. Timing: the choice takes no cycle, as the scheme's. */

struct sl_paths;
struct sl_sorted_paths;
struct sl_ordered_path;

enum { SL_FAIR_LEAST = 16, SL_FAIR_MOST = 65536 };

/* State of a warp. Without diverged lanes it has no meaning. */
struct sl_fairness {
  uint32_t period; /* N; 0: off */
  uint32_t turns;  /* instructions since a path was favoured; of a favoured one, those that it has executed */
  sl_lanes favoured, parked;
  uint8_t queue[SL_MAX_LANES]; /* the lanes; those whose path was favoured longest ago come first */
};

/* Resets the state when a warp diverges. */
static inline void sl_fair_start(struct sl_fairness *fair)
{
  *fair = (struct sl_fairness){.period = fair->period};
  for (unsigned lane = 0; lane < SL_MAX_LANES; lane++)
    fair->queue[lane] = (uint8_t)lane;
}

/* Records that these lanes have been favoured. */
static inline void sl_fair_move_to_end(struct sl_fairness *fair, sl_lanes lanes)
{
  uint8_t moved[SL_MAX_LANES];
  unsigned kept = 0, last = 0;
  for (unsigned n = 0; n < SL_MAX_LANES; n++)
    if (lanes >> fair->queue[n] & 1)
      moved[last++] = fair->queue[n];
    else
      fair->queue[kept++] = fair->queue[n];
  for (unsigned n = 0; n < last; n++)
    fair->queue[kept + n] = moved[n];
}

/* Returns the path that runs next; there are several. */
unsigned sl_fair_select(const struct sl_paths *paths);

/* Counts an instruction, or a replay, of the selected path i; there are several. */
void sl_fair_count(struct sl_paths *paths, unsigned i);

/* The same for the tables of sorted paths, at the end of an instruction: sl_sorted_paths_update with fairness. */
bool sl_fair_update(struct sl_fairness *fair, struct sl_sorted_paths *paths, struct sl_ordered_path a,
                    struct sl_ordered_path b);

/* Parks path i at a warp command. Returns false if no other path is eligible. */
bool sl_fair_park(struct sl_paths *paths, unsigned i);

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
  /* SIMT stack: an instruction of a warp whose lanes are apart has been counted (simt_stack.h); `back`: it was a
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

/* Thread state of a warp as paths, and active-thread selection: which threads of a diverged warp run next.
 *
 * The hardware keeps a PC and a little more state per thread. A path is the set of threads of a warp in the same state.
 * Keeping paths instead of threads makes the cost of selection and update independent of the number of lanes. The lanes
 * of the selected path are the active ones. The convergence scheme (convergence/convergence.h) selects; the
 * schemes differ in the state beside the PC (`level`) and in the order. A converged warp is one path in every scheme,
 * and needs none. Selection has no timing here: the machine models the pipeline stages. */

enum { SL_NEST_MAX = 31 /* five bits */, SL_PATHS_OWN = 1088 /* bytes */ };

struct sl_path {
  sl_lanes lanes;
  uint32_t pc;
  int16_t level;
  bool retry; /* its instruction will be fetched again */
};

/* Disjoint paths that cover the lanes of a warp. No two are in the same state, except pairs that a sorter has not
 * merged yet. */
struct sl_paths {
  unsigned count;
  enum sl_scheme scheme;
  struct sl_path path[SL_MAX_LANES];
  struct sl_fairness fair;
  _Alignas(8) uint8_t own[SL_PATHS_OWN]; /* only the scheme knows it; without meaning while there is one path */
};

static inline const struct sl_convergence *sl_paths_scheme(const struct sl_paths *paths)
{
  return sl_convergences[paths->scheme];
}

/* Resets: all lanes at one address, level 0, without fairness. */
void sl_paths_start(struct sl_paths *paths, enum sl_scheme scheme, sl_lanes lanes, uint32_t pc);

/* Returns the index of the path that runs next. */
static inline unsigned sl_paths_select(const struct sl_paths *paths)
{
  if (paths->count == 1)
    return 0;
  const struct sl_convergence *scheme = sl_paths_scheme(paths);
  return paths->fair.period && scheme->before != NULL ? sl_fair_select(paths) : scheme->select(paths);
}

/* Counts an instruction or a replay of the selected path i. A scheme whose order is not known counts itself. */
static inline void sl_paths_count(struct sl_paths *paths, unsigned i)
{
  if (paths->count > 1 && paths->fair.period && sl_paths_scheme(paths)->before != NULL)
    sl_fair_count(paths, i);
}

/* Path i continues at pc. */
static inline void sl_paths_advance(struct sl_paths *paths, unsigned i, uint32_t pc)
{
  paths->path[i].pc = pc;
  paths->path[i].retry = false;
  if (paths->count > 1)
    sl_paths_scheme(paths)->settle(paths, i);
}

/* The selected path i stays where it is: its instruction will be fetched again. */
static inline void sl_paths_retry(struct sl_paths *paths, unsigned i)
{
  if (sl_paths_scheme(paths)->retry != NULL)
    sl_paths_scheme(paths)->retry(paths, i);
}

/* Path i continues at `taken_pc` for the lanes in `taken` and at `pc` for the others. */
void sl_paths_branch(struct sl_paths *paths, unsigned i, sl_lanes taken, uint32_t taken_pc, uint32_t pc);

/* Lane l of path i continues at target[l]. */
static inline void sl_paths_scatter(struct sl_paths *paths, unsigned i, const uint32_t *target)
{
  if (paths->count == 1 && paths->fair.period)
    sl_fair_start(&paths->fair);
  sl_paths_scheme(paths)->scatter(paths, i, target);
}

/* Path i executes a mark. It does not move. */
static inline enum sl_marked sl_paths_mark(struct sl_paths *paths, unsigned i, enum sl_mark_kind kind)
{
  const struct sl_mark mark = {.kind = kind};
  return sl_paths_scheme(paths)->mark != NULL ? sl_paths_scheme(paths)->mark(paths, i, &mark) : SL_MARKED;
}

/* Path i, which is not the whole warp, is at a warp command. Returns true if it waits there for others to run first. */
static inline bool sl_paths_arrive(struct sl_paths *paths, unsigned i)
{
  if (paths->fair.period && sl_paths_scheme(paths)->before != NULL)
    return sl_fair_park(paths, i);
  return sl_paths_scheme(paths)->arrive != NULL && sl_paths_scheme(paths)->arrive(paths, i);
}

/* Moves a lane to another pc. It keeps its level. */
static inline void sl_paths_place(struct sl_paths *paths, unsigned lane, uint32_t pc)
{
  if (paths->count == 1 && paths->fair.period)
    sl_fair_start(&paths->fair);
  sl_paths_scheme(paths)->place(paths, lane, pc);
}

/* The places of the paths, in the order of the list. */
static inline unsigned sl_paths_places(const void *warp, struct sl_warp_path path[SL_MAX_LANES])
{
  const struct sl_paths *paths = warp;
  for (unsigned i = 0; i < paths->count; i++)
    path[i] = (struct sl_warp_path){paths->path[i].lanes, paths->path[i].pc};
  return paths->count;
}

/* Checks the invariants: paths are disjoint, cover `lanes` and differ in state. Returns NULL or the broken invariant.
 */
const char *sl_paths_broken(const struct sl_paths *paths, sl_lanes lanes);

#endif
