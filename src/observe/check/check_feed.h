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

/* A warp arrives at a barrier, on these lanes; `number` is the warp's in events. */
void sl_check_arrive(struct sl_check *check, struct sl_check_block *block, unsigned warp, int barrier, bool passes,
                     sl_lanes active, uint32_t site, unsigned number);

/* A barrier releases a warp, and with it all that have arrived there. */
void sl_check_released(struct sl_check *check, unsigned number);

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

#endif
