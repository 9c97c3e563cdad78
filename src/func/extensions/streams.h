/* Streaming lanes: DMSL, the data-access part of the extension of "Decoupled Control Flow and Data Access in RISC-V
 * GPGPUs" (arXiv 2512.00032), section IV-C; registers: its Table I.
 *
 * A unit maps a register of a warp to a stream: a sequence of elements in memory for each lane. Reading the register
 * takes the next element of a read stream. A prefetch engine has fetched it into a FIFO of the warp. Writing the
 * register appends to the FIFO of a write stream, which drains to memory. An epoch begins when software writes a base
 * or enables the stream; its configuration holds until the next epoch.
 *
 * Function and timing are separate. Function, in program order and not after the first sl_streams_ready:
 * sl_streams_rename replaces mapped register fields of a copy by stream registers (64 + unit) and loads the elements
 * into them, the copy executes, and sl_streams_finish stores the result. Timing: sl_streams_ready, sl_streams_issue and
 * sl_streams_commit, with the struct sl_stream_use that rename has filled in. An epoch knows how many elements were
 * used functionally; the unit fetches and issues these before those of the next epoch.
 *
 * Timing contract: per cycle a unit requests one line, for a prefetch or a drain. The units with the greatest need get
 * the free ports of the data cache. Local memory serves one more line. The caller passes the free ports: port 0 is
 * shared with the load-store unit, which has priority.
 *
 * The paper leaves these points open:
 * - decision: registers of a unit: 0 base, 1 mapping, 2 stride (the same as 5), 3 count limit (0: none), 4 row stride,
 *   5 stride, 6 row length (0: no rows), 7 elements used (read-only). Bases and strides are per lane; a write changes
 *   the active lanes. The others are per warp, from the lowest active lane.
 * - decision: element i is at base + i * stride; in rows of n, at base + (i / n) * row stride + (i % n) * stride.
 * - decision: mapping: bits 4:0 register, 5 floating-point, 6 write, 9:7 size (0: 32, 1: 16, 2: 8 bits), 10 prefetch,
 *   11 redirect. Read: bit 6 clear. Write: bit 6 without prefetch. Read-write: bit 6 with prefetch, or two units.
 * - decision: 8 and 16 bits are sign-extended to integer registers, zero-extended to floating-point ones.
 * - decision: a destination that only a read stream maps is the register; so is a source that only a write stream maps.
 * - decision: an instruction takes one element, also when two sources name the register or no lane is active.
 * - decision: read-write has two positions in the same sequence, for sources and for destinations.
 * - decision: lanes of a warp advance together. The lanes that have written a base since redirect was last clear take
 *   part; an instruction with other lanes active is illegal. A base written in some lanes restarts the stream in all.
 * - decision: writing the base of an enabled stream, enabling it, and setting prefetch each begin an epoch. Strides,
 *   rows and limit written meanwhile apply from the next epoch on.
 * - decision: the unit drops prefetched elements of an old epoch that no instruction uses, and ignores their lines.
 * - decision: prefetch stops at the count limit; without one, at the product of the bounds of the loops that were
 *   enabled when prefetch was set; without loops, when it is disabled. The unit drops over-fetched elements. It always
 *   fetches elements that instructions are known to use. Using more elements than the count limit is illegal.
 * - decision: a unit's engine serves the warp with the fewest entries, valid or in flight, below `streams.credits`; on
 *   a tie, round robin. It coalesces the lanes' addresses by line and requests `streams.lines` of them per cycle
 *   (default 1).
 * - decision: an entry holds an element of all lanes that take part, including those outside the tail mask. It is valid
 *   when all its lines have returned. `streams.latency`, from grant to use, includes the return path; the caller models
 *   it.
 * - decision: a slot of the write FIFO is taken at issue and filled at commit. It drains in order from the next cycle
 *   on, with as many lines per cycle, and is free with its last line. Lanes outside the mask are not written.
 * - decision: the need of a read is the number of credits without a valid entry, that of a write the number of filled
 *   entries, each of the served warp. Ties rotate. A unit gets a second line in a cycle only when every other unit has
 *   one.
 * - decision: loads and stores are not ordered with streams. Clearing the redirect bit of a write stream waits until it
 *   has drained (sl_streams_busy).
 * - decision: fetch waits for a write of a mapping to execute (sl_streams_csr_blocks). The write waits until no
 *   instruction in flight writes the mapped register. Other CSR writes do not block.
 * - decision: these are illegal: register x0, two streams of one direction on a register, another mapping while
 *   redirecting, reading while prefetch is off, and bases or strides that are not a multiple of the element size.
 * - decision: switching the warp off disables all; elements that it has written still drain. */
#ifndef SL_WARP_STREAMS_H
#define SL_WARP_STREAMS_H

#include "func/extensions/stream_epochs.h"

/* `w` must be initialised; the streams use its registers 64 to 79. */
enum sl_status sl_streams_init(struct sl_streams *s, const struct sl_streams_spec *spec, struct sl_ipdom_warps *w,
                               struct sl_loops *loops, struct sl_error *err);
void sl_streams_free(struct sl_streams *s);

/* Resets all streams and counters. */
void sl_streams_start(struct sl_streams *s);

/* Stops the streams of a warp that starts or is switched off. */
void sl_streams_stop(struct sl_streams *s, unsigned warp);

/* CSR accesses, for a CSR with sl_is_extension_csr(csr, SL_UNIT_STREAM). Return NULL or a message: the rest
 * of a sentence that begins with the instruction. `values` has one value per lane; read sets all of them.
 *
 * A write that begins an epoch sets *begun. Its prefetch starts with sl_streams_open, when the instruction executes.
 * With begun == NULL it starts at once. */
const char *sl_streams_csr_read(const struct sl_streams *s, unsigned warp, unsigned csr, uint32_t *values);
const char *sl_streams_csr_write(struct sl_streams *s, unsigned warp, unsigned csr, sl_lanes active,
                                 const uint32_t *values, bool *begun);
void sl_streams_open(struct sl_streams *s, unsigned warp, unsigned csr);

/* Returns true if the warp's fetch waits until a write to this CSR has executed. */
static inline bool sl_streams_csr_blocks(unsigned csr)
{
  return (csr & 7) == SL_STREAM_MAPPING;
}

/* The general case of sl_streams_rename. */
const char *sl_streams_rename_slowly(struct sl_streams *s, unsigned warp, uint32_t pc, sl_lanes active,
                                     struct sl_insn *copy, struct sl_stream_use *use);

/* Renames before execution: changes *copy to the instruction to execute. Returns NULL or a message; for memory
 * faults w->fault is set. */
static inline const char *sl_streams_rename(struct sl_streams *s, unsigned warp, uint32_t pc, sl_lanes active,
                                            struct sl_insn *copy, struct sl_stream_use *use)
{
  *use = (struct sl_stream_use){.write = -1};
  return s->warp[warp].redirecting == 0 ? NULL : sl_streams_rename_slowly(s, warp, pc, active, copy, use);
}

/* Completes an instruction after execution, if use->write >= 0. `insn` is the fetched instruction. */
const char *sl_streams_finish(struct sl_streams *s, unsigned warp, uint32_t pc, sl_lanes active,
                              const struct sl_insn *insn, const struct sl_stream_use *use);

static inline bool sl_stream_used(const struct sl_stream_use *use)
{
  return use->reads != 0 || use->write >= 0;
}

/* Visits the state, for streams of the same spec. */
void sl_streams_walk(struct sl_streams *s, struct sl_archive *archive);

/* Recomputes the derived state: mapped registers and the units' work. */
void sl_streams_derive(struct sl_streams *s);

#endif
