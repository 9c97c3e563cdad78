/* Streaming lanes: DMSL, the data-access part of the extension of "Decoupled Control Flow and Data Access in RISC-V
 * GPGPUs" (arXiv 2512.00032), section IV-C; registers: its Table I.
 *
 * A unit maps a register of a warp to a stream, a sequence of elements in memory for each lane. Reading the register
 * takes the next element of a read stream, which a prefetch engine has fetched into a FIFO of the warp; writing it
 * appends to the FIFO of a write stream, which is drained to memory. What is configured when a base is written or the
 * stream is enabled holds until the next such time; that stretch is an epoch.
 *
 * Function and time are apart. An instruction's function, in program order and not after its first sl_streams_ready:
 * sl_streams_rename replaces mapped register fields of a copy by stream registers (64 + unit) and loads the elements
 * into them, the copy executes, sl_streams_finish stores the result. Its time: sl_streams_ready, sl_streams_issue,
 * sl_streams_commit, with the struct sl_stream_use that rename has filled in. An epoch knows how many elements were
 * used in it functionally, and these are fetched and issued before those of the next.
 *
 * Per cycle a unit asks for one line, of a prefetch or of a drain. Units in greatest need get the free ports of the
 * data cache; one line of local memory is served beside them. The caller passes the ports that are free: port 0 is
 * shared with the load-store unit, which wins.
 *
 * The paper leaves open, and here it is
 * - decision: registers of a unit: 0 base, 1 mapping, 2 stride (the same as 5), 3 count limit (0: none), 4 row
 *   stride, 5 stride, 6 row length (0: no rows), 7 elements used (read-only). Bases and strides are per lane; a write
 *   changes the active lanes. The others are per warp, from the lowest active lane.
 * - decision: element i is at base + i * stride; in rows of n, at base + (i / n) * row stride + (i % n) * stride.
 * - decision: mapping, bits 4:0 register, 5 floating-point, 6 write, 9:7 size (0: 32, 1: 16, 2: 8 bits), 10 prefetch,
 *   11 redirect. Read: bit 6 clear; write: bit 6 without prefetch; read-write: bit 6 with prefetch, or two units.
 * - decision: 8 and 16 bits are sign-extended to integer registers, zero-extended to floating-point ones.
 * - decision: a destination that only a read stream maps, and a source that only a write stream maps, are the
 *   register.
 * - decision: one element per instruction, also when two sources name the register, and when no lane is active.
 * - decision: read-write has two positions in the same sequence, for sources and for destinations.
 * - decision: lanes of a warp advance together. Those that have written a base since redirect was last clear take
 *   part; an instruction with others active is illegal. A base written in some lanes restarts the stream in all.
 * - decision: writing the base of an enabled stream begins an epoch, as do enabling it and setting prefetch. Strides,
 *   rows and limit written meanwhile count from the next epoch on.
 * - decision: prefetched elements of an old epoch that no instruction uses are dropped, and their lines ignored when
 *   they return.
 * - decision: prefetch stops at the count limit; without one, at the product of the bounds of the loops that were
 *   enabled when prefetch was set; without loops, when it is disabled. Over-fetch is dropped. What instructions are
 *   known to use is fetched in any case. Using more elements than the count limit is illegal.
 * - decision: the engine of a unit takes the warp with the fewest entries, valid or in flight, if below
 *   `streams.credits`; in turn when equal. It coalesces the lanes' addresses by line and asks for
 *   `streams.lines` of them per cycle, one unless told otherwise.
 * - decision: an entry holds an element of all lanes that take part, also outside the tail mask, and is valid when
 *   all its lines have returned. `streams.latency` from grant to use includes the return path and is the caller's.
 * - decision: a slot of the write FIFO is taken at issue, filled at commit, drained in order from the next cycle on,
 *   as many lines per cycle, and free with its last line. Lanes outside the mask are not written.
 * - decision: need of a read is the credits without a valid entry, of a write the filled entries, each of the warp
 *   served; equal ones take turns. A unit gets a second line in a cycle only when every other has got one.
 * - decision: loads and stores are not ordered with streams; clearing the redirect bit of a write stream waits until
 *   it has drained (sl_streams_busy).
 * - decision: fetch waits for a write of a mapping to execute (sl_streams_csr_blocks), and that waits until no
 *   instruction in flight writes the mapped register; other CSR writes do not block.
 * - decision: illegal are a register x0, two streams of one direction on a register, another mapping while
 *   redirecting, reading while prefetch is off, bases or strides that are no multiple of the element.
 * - decision: all is disabled when the warp is switched off; what it has written still drains. */
#ifndef SL_WARP_STREAMS_H
#define SL_WARP_STREAMS_H

#include "warp/extensions/stream_epochs.h"

/* `w` is initialised; its registers 64 to 79 are used. */
enum sl_status sl_streams_init(struct sl_streams *s, const struct sl_streams_spec *spec, struct sl_ipdom_warps *w,
                               struct sl_loops *loops, struct sl_error *err);
void sl_streams_free(struct sl_streams *s);

/* Everything as at first; counters 0. */
void sl_streams_start(struct sl_streams *s);

/* A warp is switched off, or begins. */
void sl_streams_stop(struct sl_streams *s, unsigned warp);

/* Of a CSR for which sl_is_extension_csr(csr, SL_UNIT_STREAM). Return NULL, or what is illegal, as the rest of a
 * sentence that begins with the instruction. `values` are lane values; read fills in those of all lanes.
 *
 * When an epoch has begun, *begun is set, and its prefetch starts with sl_streams_open, when the instruction executes.
 * With begun == NULL it starts at once. */
const char *sl_streams_csr_read(const struct sl_streams *s, unsigned warp, unsigned csr, uint32_t *values);
const char *sl_streams_csr_write(struct sl_streams *s, unsigned warp, unsigned csr, sl_lanes active,
                                 const uint32_t *values, bool *begun);
void sl_streams_open(struct sl_streams *s, unsigned warp, unsigned csr);

/* Whether fetch of the warp waits until a write to this CSR has executed. */
static inline bool sl_streams_csr_blocks(unsigned csr)
{
  return (csr & 7) == SL_STREAM_MAPPING;
}

/* The general case of sl_streams_rename. */
const char *sl_streams_rename_slowly(struct sl_streams *s, unsigned warp, uint32_t pc, sl_lanes active,
                                     struct sl_insn *copy, struct sl_stream_use *use);

/* Before execution: *copy is the instruction, and becomes what is to be executed. Returns NULL, or what is illegal;
 * then w->fault is filled in if it is about memory. */
static inline const char *sl_streams_rename(struct sl_streams *s, unsigned warp, uint32_t pc, sl_lanes active,
                                            struct sl_insn *copy, struct sl_stream_use *use)
{
  *use = (struct sl_stream_use){.write = -1};
  return s->warp[warp].redirecting == 0 ? NULL : sl_streams_rename_slowly(s, warp, pc, active, copy, use);
}

/* After execution, if use->write >= 0. `insn` is the instruction as it was fetched. */
const char *sl_streams_finish(struct sl_streams *s, unsigned warp, uint32_t pc, sl_lanes active,
                              const struct sl_insn *insn, const struct sl_stream_use *use);

static inline bool sl_stream_used(const struct sl_stream_use *use)
{
  return use->reads != 0 || use->write >= 0;
}

/* Adds the state to a walk: saved by the same build, restored into streams of the same spec. */
void sl_streams_walk(const struct sl_streams *s, struct sl_state_walk *walk);

/* What follows from the rest of the state, anew: which registers are mapped, and who has something to do. */
void sl_streams_derive(struct sl_streams *s);

#endif
