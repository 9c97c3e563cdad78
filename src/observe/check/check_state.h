/* Internals of the checker: its clock, the order of threads, and the shadow of memory. */
#ifndef SL_OBSERVE_CHECK_CHECK_STATE_H
#define SL_OBSERVE_CHECK_CHECK_STATE_H

#include "isa/lanes.h"
#include "observe/check/check.h"

enum {
  SL_CHECK_THREAD_BITS = 12, /* of a block: warp and lane */
  SL_CHECK_BLOCKS = 1 << (32 - SL_CHECK_THREAD_BITS),
  SL_CHECK_LINE = 32,       /* words whose cells are together */
  SL_CHECK_PAGE = 4096,     /* bytes whose lines are together */
  SL_CHECK_OWN_PAGE = 256,  /* bytes of a thread's memory that are together */
  SL_CHECK_RECENT = 1024,   /* pages that are found without a search */
  SL_CHECK_NEAR = 1024,     /* sites that are */
  SL_CHECK_STACK = 8192,    /* bytes of a thread's stack in global memory. Source: runtime/vortex_start.S */
  SL_CHECK_MOST_CORES = 64, /* of a program that launches its kernels. Source: runtime/vortex.c */
  SL_CHECK_SCOPES = 2,      /* of fences: all threads, the block */
  SL_CHECK_BARRIERS = 16,   /* of a block. Source: PTX ISA, "bar" */
  SL_CHECK_PASSED = 8,      /* places of barriers that are kept for each warp */
  SL_CHECK_MEETINGS = 6,    /* instructions with a mask that lanes of a warp have not reached yet */
  SL_CHECK_PARKS = 8,       /* groups of a warp that wait at barriers of the block */
};

/* Flags of a stamp, above the number of its site. */
enum {
  SL_CHECK_SITE = 0x1fffff,
  SL_CHECK_VOLATILE_OWN = 1 << 21,   /* a volatile store that no loop waits for: a race with those of other values */
  SL_CHECK_VOLATILE_STORE = 1 << 22, /* strong, but a race with the next one */
  SL_CHECK_VOLATILE_DATA = 1 << 23,  /* a load of data, not of a flag that the thread tests */
  SL_CHECK_STRONG = 1 << 24,         /* no race with other strong accesses */
  SL_CHECK_IN_BLOCK = 1 << 25,       /* strong for the threads of the block only */
  SL_CHECK_ATOMIC = 1 << 26,
  SL_CHECK_VALUE = 1 << 27,          /* the cell has its value */
  SL_CHECK_CONSTANT = 1 << 29,       /* a store of a value that threads compute alike: they may store it together */
  SL_CHECK_BLOCK_CONSTANT = 1 << 30, /* the same for threads of a block */
  SL_CHECK_SPLIT = 1 << 28,          /* the cell has a cell for each byte: number `value` */
};

#define SL_CHECK_ASYNC (UINT32_C(1) << 31) /* a copy under way: nothing orders it, and its time is the end */

/* An access that happened: its thread, the checker's clock, the site in the program and flags. */
struct sl_check_stamp {
  uint32_t who, time, site;
};

/* What the threads have done to a word, or to a byte of a word that has been accessed by bytes. */
struct sl_check_cell {
  struct sl_check_stamp write;  /* the last plain write */
  struct sl_check_stamp strong; /* the last strong write */
  struct sl_check_stamp read[2];
  uint32_t value; /* of the write */
};

/* All accesses of a thread, warp or block before a time. Keys ascend by block. */
struct sl_check_bound {
  uint64_t key;
  uint32_t time;
};

/* Accesses of other blocks and warps that are ordered before those of a warp. */
struct sl_check_view {
  struct sl_check_bound *bound;
  size_t count, room;
};

struct sl_check_line;

enum { SL_CHECK_REGISTERS = 256 /* of 64-bit words; RV32 uses 64 */ };

/* A set of registers. */
struct sl_check_registers {
  uint64_t word[SL_CHECK_REGISTERS / 64];
};

/* Lanes of a warp that have executed a barrier of the block at a place. */
struct sl_check_passed {
  uint32_t site;
  sl_lanes lanes;
};

/* An instruction for the lanes that a mask names, which not all of them have executed as often as others. */
struct sl_check_meeting {
  uint32_t members, key, site; /* members 0: free; key: the instruction, or all of its kind */
  uint8_t times[SL_MAX_LANES];
};

/* Lanes that have come to a barrier of the block before others of their warp. */
struct sl_check_park {
  uint32_t site, away_site;
  sl_lanes lanes, away; /* away: in another branch, or behind the barrier's */
};

struct sl_check_warp {
  uint32_t floor;                      /* accesses of the block before this time are ordered before those of the warp */
  uint32_t lane_floor;                 /* the same for the warp's own lanes */
  uint32_t seen[SL_MAX_WARPS];         /* the same by warp */
  uint32_t (*lane_seen)[SL_MAX_LANES]; /* by lane: accesses of another lane; NULL: none but lane_floor */
  uint32_t fence[SL_CHECK_SCOPES][SL_MAX_LANES]; /* time of the lane's last fence; 0: none */
  bool fenced[SL_CHECK_SCOPES];                  /* since the last barrier */
  sl_lanes live;
  sl_lanes threads; /* that the warp has begun with; 0: unknown */
  struct sl_check_view view;
  struct sl_check_view relaxed; /* what its relaxed loads have read, for its next fence */
  uint64_t merged;              /* the version of the view that the warp took last */
  int barrier;                  /* that it has arrived at; -1: none */
  uint32_t barrier_site;
  unsigned number;                                   /* in events */
  sl_lanes entered;                                  /* the kernel, in a run whose registers are followed */
  struct sl_check_registers unwritten[SL_MAX_LANES]; /* of these lanes */
  uint32_t passed[SL_CHECK_BARRIERS];                /* when it arrived at a barrier without waiting; 0: it has not */
  uint32_t arrived;                                  /* the same at the barrier that opens; 0: it waits there */
  struct sl_check_passed at[SL_CHECK_PASSED];
  unsigned ats;
  uint32_t end_site; /* where lanes have ended last */
  sl_lanes came;     /* Vortex: that have executed the barrier of barrier_site last; 0: none */
  struct sl_check_meeting meeting[SL_CHECK_MEETINGS];
  unsigned meetings;
  struct sl_check_park park[SL_CHECK_PARKS];
  unsigned parks;
};

struct sl_check_block {
  const void *key;
  uint32_t number; /* in the grid, modulo SL_CHECK_BLOCKS */
  uint32_t begin;
  unsigned core, warps, lanes;
  struct sl_check_warp *warp;
  uint32_t published[SL_CHECK_SCOPES][SL_MAX_WARPS]; /* accesses of a warp that fences before barriers cover */
  struct sl_check_line *shared;                      /* of its shared memory */
  size_t shared_words, shared_lines;
  bool strict;
  bool fences;                    /* a thread has executed a fence */
  bool in_grid;                   /* it is a block of the grid, not a core */
  struct sl_check_copies *copies; /* cp.async; NULL: none */
  sl_warps released;              /* by a barrier, and not joined yet */
  sl_warps passing;               /* that a barrier has begun to release with others, and not reported yet */
};

/* What releases at an address have published. */
struct sl_check_lock {
  uint64_t key;
  uint64_t version;
  struct sl_check_view view[SL_CHECK_SCOPES];
  uint32_t block; /* of the second */
};

struct sl_check_locks {
  struct sl_check_lock *slot;
  size_t count, room; /* room: a power of two, or 0 */
  uint64_t version;
};

/* Words of a block's shared memory whose two readers are lanes of these warps: a load by a third warp adds nothing. */
struct sl_check_readers {
  uint32_t words;   /* the first of each access */
  uint32_t width;   /* of the accesses, in words */
  uint32_t warp[2]; /* who / SL_MAX_LANES */
  uint32_t time;    /* none has read before */
  uint32_t written; /* nothing has written after */
};

struct sl_check_cells {
  struct sl_check_cell word[SL_CHECK_LINE];
  struct sl_check_readers readers;
};

/* Words that begin at a multiple of 128 bytes. While instructions access all of them, lane i word i, the line has one
 * stamp for all its words, which is that of word 0: a row. Any other access spreads it to the cells. */
struct sl_check_line {
  bool spread; /* the cells are valid, and the row is not */
  struct sl_check_stamp write, read[2];
  uint32_t value[SL_CHECK_LINE];
  struct sl_check_cells *cells; /* NULL: never spread */
};

/* Pages by number. Each begins with it. */
struct sl_check_pages {
  void **slot;
  size_t count, room; /* room: a power of two, or 0 */
  size_t bytes;       /* of a page */
};

/* Memory of the threads of a warp: their stacks, or local memory in PTX, which mostly have the same addresses. */
struct sl_check_own_page {
  uint64_t number;
  uint32_t begin;                      /* of the block that has used it */
  sl_lanes written[SL_CHECK_OWN_PAGE]; /* by byte: the lanes that have written theirs */
};

struct sl_check_page {
  uint64_t number;
  struct sl_check_line line[SL_CHECK_PAGE / 4 / SL_CHECK_LINE];
};

struct sl_check_shadow {
  struct sl_check_pages pages, own;
  struct sl_check_page *recent[SL_CHECK_RECENT];
  struct sl_check_own_page *own_recent[SL_CHECK_RECENT];
  struct sl_check_cell (*split)[4];
  size_t splits, split_room;
};

/* A place in a program. */
struct sl_check_site {
  const void *owner; /* the module or program */
  uint64_t pc;
  uint64_t place; /* a hash of file and line; 0: not computed */
  bool known;     /* what follows is computed */
  uint32_t flags; /* of its value */
};

/* A site that was found last at one of its places in the table. */
struct sl_check_near {
  const void *owner;
  uint64_t pc;
  uint32_t number;
};

struct sl_check_sites {
  struct sl_check_site *site;
  size_t count, room;
  uint32_t *slot; /* number plus 1 */
  size_t slots;
  struct sl_check_near near[SL_CHECK_NEAR];
};

/* One of the two accesses of a finding. */
struct sl_check_party {
  char file[256];
  uint32_t line, module_line; /* of the source; of the PTX */
  uint64_t pc;
  uint32_t block[3], thread[3];
  unsigned core, warp, lane;
  const char *does;         /* "reads", "writes", "updates atomically" */
  char kernel[SL_GPU_NAME]; /* if it is another one than the finding's */
  bool has_thread, has_value;
  uint64_t value;
};

struct sl_check_finding {
  const char *kind; /* "race" */
  char kernel[SL_GPU_NAME];
  char text[1800]; /* the sentence without kind and count */
  char space[16], variable[160];
  uint64_t address;
  unsigned bytes;
  struct sl_check_party party[2];
  unsigned parties;
  uint64_t count, key;
  uint64_t schedule; /* that found it */
  bool said, suppressed;
  bool follows;  /* from another finding */
  bool together; /* both accesses are of one instruction */
  bool copies;   /* one is a copy that its thread has not waited for */
  bool apart;    /* of two launches */
};

struct sl_check_buffer {
  uint64_t first, bytes;
  bool freed;
};

/* A range that the host has written. */
struct sl_check_written {
  uint64_t first, end;
};

/* A launch or a copy that was performed, and may not be ordered before a later one. */
struct sl_check_past {
  unsigned queue;
  uint32_t number;  /* as in struct sl_check_queued */
  bool copy, apart; /* apart: it is not ordered before the present command */
  /* A launch: */
  uint32_t begin; /* the clock */
  uint32_t grid[3], size[3];
  char kernel[SL_GPU_NAME];
  /* A copy or a fill: */
  uint64_t first, bytes;
  bool writes;
};

struct sl_check_access;

struct sl_check {
  struct sl_check_options options;
  uint32_t clock;
  uint64_t schedule;  /* seed of the order of warps and blocks; 0: the usual one */
  uint32_t launched;  /* the clock when the launch began */
  bool faulted;       /* a launch has ended with a fault, after which programs can free nothing */
  bool out_of_memory; /* the results are incomplete */
  char kernel[SL_GPU_NAME];
  uint32_t grid[3], size[3]; /* of the launch */
  const struct sl_program *program;
  struct sl_range scratchpad; /* addresses; RISC-V only */
  unsigned warps_per_core;    /* 0: the warps' numbers are of one core */
  struct sl_range flag[4];    /* variables that order as locks do */
  unsigned flags;
  uint64_t flags_first, flags_end; /* they are between these */
  bool independent;                /* the lanes of the last block are not in lock step */
  bool stacks_apart;               /* the addresses above the scratchpad are the threads' own */
  struct sl_range stacks;          /* of threads whose stacks are in global memory, the first one above; empty: none */
  unsigned stack_warps;            /* per core */
  bool follows_registers;          /* of RISC-V */
  struct sl_check_registers kernel_registers; /* that nothing has written when a kernel begins */
  uint64_t entry;                             /* of the launch */
  bool releasing;                             /* warps of RISC-V pass a barrier */
  int readers_pay;                            /* readers of lines have saved more than they cost */
  bool unordered;                             /* accesses are not compared: the program has barriers of its own */
  const struct sl_ptx_module *module;
  const struct sl_ptx_function *kernel_function;
  uint8_t *gap;       /* by byte of the kernel's static shared memory: no variable's */
  uint32_t *next_gap; /* by word: the first such byte from there on */
  uint32_t gaps, gap_room;
  uint8_t *unwritten; /* by instruction of the kernel: it uses a register that nothing has written */
  bool any_unwritten;
  struct sl_check_block **block;
  size_t blocks, block_room;
  struct sl_check_block *last; /* found last */
  bool grids;                  /* a block is in_grid */
  struct sl_check_locks locks;
  struct sl_check_shadow shadow;
  struct sl_check_sites sites;
  struct sl_check_buffer *buffer;
  size_t buffers, buffer_room;
  struct sl_check_written *written; /* ascending and disjoint */
  size_t writtens, written_room;
  struct sl_check_finding *finding;
  size_t findings, finding_room;
  char *suppressions; /* lines */
  struct sl_check_past *past;
  size_t pasts, past_room;
  bool queued;                       /* the next launch is the last past command */
  bool launches_apart;               /* a past launch is apart */
  bool copies_apart;                 /* a past copy is */
  uint32_t apart_from;               /* the clock at the first such launch */
  const struct sl_check_past *other; /* whose access sl_check_race has found; NULL: the present launch */
};

/* An instruction of a warp that accesses memory. */
struct sl_check_access {
  struct sl_check_block *block;
  unsigned warp;
  sl_lanes active;
  bool shared;
  bool own;           /* the threads' own memory */
  bool fixed;         /* a load of shared memory at an address that is a constant */
  bool loads, stores; /* both: an atomic operation */
  bool returns;       /* an atomic operation with a result */
  bool relaxed;       /* a load that orders only with a fence after it */
  bool releases;
  unsigned width;                   /* bytes of a lane */
  const uint64_t *address;          /* by lane */
  const struct sl_addresses *range; /* of all these addresses; NULL: unknown */
  enum sl_shape shape;              /* of those of 32 lanes, all of them active; OTHER: or unknown */
  uint32_t site, flags;
  /* The stored values: elements of `bytes` bytes in registers of 4 or 8. */
  const uint8_t *element[4];
  unsigned wide, bytes; /* wide: a bit per element with a register of 8 bytes */
};

/* Grows an array to hold one more item. */
bool sl_check_grow(struct sl_check *check, void *items, size_t count, size_t *room, size_t size);

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* The next time. */
uint32_t sl_check_tick(struct sl_check *check);

/* These warps pass a barrier together. */
void sl_check_join(struct sl_check *check, struct sl_check_block *block, sl_warps warps);

/* The released warps of several cores pass a barrier together; sl_check_join follows for each core. */
void sl_check_join_blocks(struct sl_check *check);

/* These lanes of a warp synchronise. */
void sl_check_join_lanes(struct sl_check *check, struct sl_check_block *block, unsigned warp, sl_lanes lanes);

/* These lanes execute a fence; scope 1: for their block only. */
void sl_check_fence(struct sl_check *check, struct sl_check_block *block, unsigned warp, sl_lanes lanes,
                    unsigned scope);

/* The lane reads a strong value, and then sees what was published there; it publishes what its fences cover.
 * `relaxed`: it sees that after its next fence. `replaces`: no atomic operation, and what was published is gone. */
void sl_check_acquire(struct sl_check *check, struct sl_check_block *block, unsigned warp, uint64_t key, bool relaxed);
void sl_check_release(struct sl_check *check, struct sl_check_block *block, unsigned warp, unsigned lane, uint64_t key,
                      bool fences, bool replaces);
bool sl_check_has_lock(const struct sl_check *check, uint64_t key);
bool sl_check_is_lock(const struct sl_check *check, const struct sl_check_access *access, unsigned lane);
void sl_check_locks_clear(struct sl_check *check);

/* Whether the warp's view has an earlier access. */
bool sl_check_is_in_view(const struct sl_check_warp *warp, const struct sl_check_stamp *stamp);

/* Whether an earlier access of another thread is ordered before those of the warp's lane. */
static inline bool sl_check_is_ordered(const struct sl_check_block *block, unsigned warp, unsigned lane,
                                       const struct sl_check_stamp *stamp)
{
  const struct sl_check_warp *w = &block->warp[warp];
  const unsigned thread = stamp->who & ((1u << SL_CHECK_THREAD_BITS) - 1), other = thread / SL_MAX_LANES;
  if (stamp->who >> SL_CHECK_THREAD_BITS == block->number) {
    if (stamp->time < w->floor || (other != warp && stamp->time < w->seen[other]))
      return true;
    if (other == warp && (!block->strict || stamp->time < w->lane_floor ||
                          (w->lane_seen != NULL && stamp->time < w->lane_seen[lane][thread % SL_MAX_LANES])))
      return true;
  }
  return w->view.count > 0 && sl_check_is_in_view(w, stamp);
}

/* ---- shadow ------------------------------------------------------------------------------------------------------ */

/* Bits that the shadow's addresses have besides: shared memory of a core has addresses of its own, and that of a block
 * an array. */
static inline uint64_t sl_check_space(const struct sl_check_access *access)
{
  return !access->shared ? 0 : access->block->shared != NULL ? ~(uint64_t)0 : (uint64_t)(access->block->core + 1) << 48;
}

/* Where a page is among the recent ones. */
static inline size_t sl_check_recent(uint64_t number)
{
  return (number ^ number >> 36) % SL_CHECK_RECENT; /* above: the space */
}

/* The line of the word at an address; NULL: out of memory, or no shared memory is there. */
struct sl_check_line *sl_check_line_at(struct sl_check *check, const struct sl_check_access *access, uint64_t address);

/* The cells of a line, to which its row is spread; NULL: out of memory. */
struct sl_check_cells *sl_check_spread(struct sl_check *check, struct sl_check_line *line);

static inline struct sl_check_cells *sl_check_cells(struct sl_check *check, struct sl_check_line *line)
{
  return line->spread ? line->cells : sl_check_spread(check, line);
}

/* The cell of the word at an address in a line with these cells, which the caller may change; NULL: no cells. */
static inline struct sl_check_cell *sl_check_word(struct sl_check_cells *cells, uint64_t address)
{
  if (cells == NULL)
    return NULL;
  cells->readers.words = 0;
  return &cells->word[address / 4 % SL_CHECK_LINE];
}

void sl_check_lines_free(struct sl_check_line *line, size_t count);

/* The cell of the word at an address; NULL as above. */
struct sl_check_cell *sl_check_cell_at(struct sl_check *check, const struct sl_check_access *access, uint64_t address);

/* The cell of a word of global memory; NULL: no kernel has accessed its page. */
const struct sl_check_cell *sl_check_known_cell(struct sl_check *check, uint64_t address);

/* The cells of a word's bytes; NULL: out of memory. */
struct sl_check_cell *sl_check_bytes_of(struct sl_check *check, struct sl_check_cell *cell);

/* An access to memory that only the thread itself accesses: finds reads of bytes that the thread has not written. */
void sl_check_own(struct sl_check *check, const struct sl_check_access *access);

/* The same for stacks that other threads can access as well. Each has addresses of its own. */
void sl_check_stack(struct sl_check *check, const struct sl_check_access *access);

/* The page of a number, with zeros if it is new; NULL: out of memory. */
void *sl_check_page_of(struct sl_check *check, struct sl_check_pages *pages, uint64_t number);

/* Finds the instructions of a kernel that use a register which no instruction before them writes. */
void sl_check_registers(struct sl_check *check, const struct sl_ptx_module *module,
                        const struct sl_ptx_function *kernel);

/* Whether an instruction of the RISC-V program may read a register that nothing has written: then every instruction
 * must be passed to sl_check_unwritten. */
bool sl_check_may_be_unwritten(struct sl_check *check, const struct sl_soc *soc);

/* Forgets what was done to a range of global memory. */
void sl_check_forget(struct sl_check *check, uint64_t first, uint64_t bytes);
void sl_check_shadow_free(struct sl_check *check);

/* ---- accesses and findings --------------------------------------------------------------------------------------- */

void sl_check_access(struct sl_check *check, const struct sl_check_access *access);

/* Finds accesses between shared variables, of a kernel that has gaps there. */
void sl_check_gaps(struct sl_check *check, const struct sl_check_access *access);

/* An access to global memory while other commands may run. */
void sl_check_apart(struct sl_check *check, const struct sl_check_access *access);

/* The launch of a command begins or has begun its blocks; all past commands are forgotten. */
void sl_check_past_begin(struct sl_check *check);
void sl_check_past_name(struct sl_check *check);
void sl_check_past_clear(struct sl_check *check);

/* Forgets the copies of a buffer that had the place of a new one: the release of its memory is after them. */
void sl_check_past_forget(struct sl_check *check, uint64_t first, uint64_t bytes);

/* The number of a place in a program. */
uint32_t sl_check_search_site(struct sl_check *check, const void *owner, uint64_t pc);

static inline uint32_t sl_check_site(struct sl_check *check, const void *owner, uint64_t pc)
{
  struct sl_check_near *near = &check->sites.near[(pc ^ pc >> 2) % SL_CHECK_NEAR];
  if (near->owner != owner || near->pc != pc)
    *near = (struct sl_check_near){owner, pc, sl_check_search_site(check, owner, pc)};
  return near->number;
}

/* Flags that follow from the value of a load or store of PTX at the site. */
uint32_t sl_check_value_flags(struct sl_check *check, const struct sl_ptx_module *module, uint32_t site, uint64_t pc,
                              const struct sl_ptx_insn *insn);

/* A hash of the site's file and line, or of its pc. */
uint64_t sl_check_place(struct sl_check *check, uint32_t site);

/* Reports a race of an access with an earlier one. */
void sl_check_race(struct sl_check *check, const struct sl_check_access *access, unsigned lane, uint64_t address,
                   const struct sl_check_stamp *earlier, const char *did, const uint32_t *value, unsigned bytes);

/* Reports a defect of one access. */
void sl_check_defect(struct sl_check *check, const char *kind, const struct sl_check_access *access, unsigned lane,
                     uint64_t address, unsigned bytes, const char *what);

bool sl_check_is_written(const struct sl_check *check, uint64_t first, uint64_t bytes);

/* Whether these unwritten bytes of a lane's load may be padding of a structure that is copied: other bytes of the load,
 * or of the aligned 8 bytes around one of less than a word, are written. */
bool sl_check_is_padding(struct sl_check *check, const struct sl_check_access *access, unsigned lane, uint64_t address,
                         unsigned bytes);

#endif
