/* Internals of the checker: blocks, barriers and buffers as events report them. */
#ifndef SL_OBSERVE_CHECK_CHECK_FEED_H
#define SL_OBSERVE_CHECK_CHECK_FEED_H

#include "observe/check/check_state.h"

/* The block of a key; NULL: it is new. */
struct sl_check_block *sl_check_block_of(struct sl_check *check, const void *key);
struct sl_check_block *sl_check_block_add(struct sl_check *check, const void *key, unsigned warps, size_t shared);

/* Its threads begin: nothing is ordered before them. The caller sets the other members. */
void sl_check_block_begin(struct sl_check *check, struct sl_check_block *block);

void sl_check_blocks_free(struct sl_check *check);

/* A warp arrives at a barrier. */
struct sl_check_arrival {
  sl_lanes active, ending; /* ending: on the way to the kernel's end */
  uint32_t site;
  uint32_t away_site; /* of the lowest lane that is elsewhere; SL_CHECK_SITE: unknown */
  uint32_t end_site;  /* of the lanes that end */
  int barrier;
  bool passes;     /* it does not wait */
  unsigned number; /* the warp's in events */
};
void sl_check_arrive(struct sl_check *check, struct sl_check_block *block, unsigned warp,
                     const struct sl_check_arrival *arrival);

/* Lanes wait for others of their warp before it arrives. */
void sl_check_parked(struct sl_check_warp *warp, const struct sl_check_park *park);

/* Warps of a block pass a barrier of all its threads together, to which they came at their barrier_site: it must be one
 * place. */
void sl_check_same_barrier(struct sl_check *check, const struct sl_check_block *block, sl_warps warps);

/* Lanes of a Vortex warp execute a barrier, which counts the warp although others of its lanes are elsewhere. */
void sl_check_lanes_arrive(struct sl_check *check, const struct sl_check_block *block, unsigned warp, sl_lanes active,
                           uint32_t site);

/* A barrier releases a warp, and with it all that have arrived there. */
void sl_check_released(struct sl_check *check, unsigned number);

/* cp.async: lanes begin copies to shared memory, end a group of them, and wait until no more than `groups` of their
 * groups are under way. */
void sl_check_copy(struct sl_check *check, const struct sl_check_access *access);
void sl_check_commit(struct sl_check *check, struct sl_check_block *block, unsigned warp, sl_lanes lanes);
void sl_check_wait(struct sl_check *check, struct sl_check_block *block, unsigned warp, sl_lanes lanes, bool all_groups,
                   uint32_t groups);

/* Lanes of a warp execute an instruction for the lanes of a mask. Those that the mask names, and that have not ended,
 * must execute the same instruction. `key`: the instruction; lanes may reach an instruction of a kind at several places
 * if all of them have one key. */
void sl_check_meet(struct sl_check *check, struct sl_check_block *block, unsigned warp, uint32_t key, uint32_t members,
                   sl_lanes lanes, uint32_t site);

/* Lanes execute such an instruction at `site` without one that the mask names, because it waits `there` for others. */
void sl_check_stuck(struct sl_check *check, const struct sl_check_block *block, unsigned warp, uint32_t members,
                    unsigned lane, uint32_t site, uint32_t there);

/* Lanes of a warp go to where all lanes of the block must come: none of them may be missing elsewhere. */
void sl_check_meet_all(struct sl_check *check, struct sl_check_block *block, unsigned warp, sl_lanes lanes,
                       uint32_t site);

/* A block of a machine that assigns blocks begins. */
void sl_check_riscv_begin(struct sl_check *check, const struct sl_probe *probe);

/* Accesses, fences and barriers of RISC-V. Releases are joined before the next event of another kind. */
void sl_check_riscv(struct sl_check *check, const struct sl_probe *probe);
void sl_check_riscv_released(struct sl_check *check, const struct sl_probe *probe);
void sl_check_riscv_join(struct sl_check *check);

/* An instruction of a run whose registers are followed. */
void sl_check_unwritten(struct sl_check *check, struct sl_check_block *block, unsigned warp,
                        const struct sl_probe *probe);

void sl_check_allocated(struct sl_check *check, uint64_t first, uint64_t bytes);
/* What is wrong with an access of machine code, whose memory has other uses than buffers: it is in a freed buffer, or
 * in the bytes between a buffer's end and the next multiple of its alignment. NULL: nothing. */
const char *sl_check_stray(const struct sl_check *check, uint64_t address, unsigned bytes);

/* The host has written there. */
void sl_check_written(struct sl_check *check, uint64_t first, uint64_t bytes);
void sl_check_freed(struct sl_check *check, uint64_t first, uint64_t bytes);

/* Reports what is no access. Findings of a kind with one key are one. */
void sl_check_note(struct sl_check *check, const char *kind, uint64_t key, const char *text);
void sl_check_name_place(const struct sl_check *check, uint32_t site, char *text, size_t size);

/* The innermost line of RISC-V code that is not in the library. The barrier at a block's end has the line of the
 * kernel's beginning, because both are in the macro SIMT_KERNEL. */
struct sl_check_frame {
  const char *file;
  unsigned line;
  bool ends;
};

/* Returns false if there is none. */
bool sl_check_frame(const struct sl_check *check, uint32_t site, struct sl_check_frame *frame);

/* Whether two sites are one place of the source: copies that the compiler has made. */
bool sl_check_is_same_place(const struct sl_check *check, uint32_t a, uint32_t b);

/* The column of a site's line; 0: unknown. */
uint32_t sl_check_column(const struct sl_check *check, uint32_t site);

#endif
