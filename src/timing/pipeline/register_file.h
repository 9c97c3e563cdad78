/* The compressed register file of SIMTight. It stores uniform and affine vectors as one value. Other vectors occupy
 * slots of a vector register file, which may have fewer slots than registers.
 *
 * The scalar register file has one entry per register of every warp: a base and a stride (0, 1, 2 or 4), a vector slot,
 * or "spilled". The comparison follows one cycle after a write. One cycle later the write updates entry, slots and
 * free-slot stack: the number of used slots changes two cycles after the write, at the end of that cycle. A queued
 * result is not written while a write to the same register is in these two stages, nor in the cycle of an eviction.
 *   - A write of all lanes is compressed if all values are equal, or if value l is base + l * stride with a base that
 * is a multiple of lanes * stride.
 *   - A write of some lanes always makes a vector; the other lanes keep their old value.
 *   - A uniform 0 from the vector pipeline is compressed, but not accepted as a scalar operand. A 0 from the scalar
 *     pipeline is.
 *
 * Values: the lane values of a compressed register are base + l * stride. The arrays that other units read (threads.h)
 * need not hold them. Such a register is `stale` until a unit needs the array.
 *
 * Source: paper, section III-B and Figure 2; alignment, stages and the treatment of 0 from the published RTL. */
#ifndef SL_UNIT_REGISTER_FILE_H
#define SL_UNIT_REGISTER_FILE_H

#include "base/queues.h"
#include "func/path_execute.h"

struct sl_register_file_spec {
  unsigned lanes, warps;
  unsigned slots; /* capacity in vectors, at most one per register */
  bool affine;    /* compress strides other than 0, too */
  bool once;      /* compute operations on compressed registers once (a host-side speed-up, not hardware) */
  bool addresses; /* a unit reads every lane's address */
};

/* The result of comparing all lanes. */
struct sl_regular {
  uint32_t base;
  uint8_t stride;
  bool regular; /* false: the vector is not regular, and the other fields are undefined */
  bool once;    /* only base and stride have been computed, no lane values */
  uint8_t rd;   /* of this register */
};

/* The entries of a warp. Sets of registers are masks, bit r = register r. A register in no set is uniform. */
struct sl_warp_registers {
  _Alignas(SL_CACHE_LINE) uint32_t vector, spilled;
  uint32_t affine; /* compressed with a stride */
  uint32_t zero;   /* compressed; a 0 that is not accepted as a scalar operand */
  uint32_t stale;
  struct sl_regular result; /* of the instruction whose register write is pending */
  uint32_t base[SL_REGISTERS];
  uint8_t stride[SL_REGISTERS];
  uint16_t slot[SL_REGISTERS];
};

enum { SL_REGISTER_WRITE_STAGES = 2, SL_REGISTER_RING = 4, SL_SLOT_SAMPLE_CYCLES = 2049 };
SL_HOLDS(SL_REGISTER_RING, SL_REGISTER_WRITE_STAGES + 1, "changes that the counter does not show yet");

struct sl_register_file {
  struct sl_register_file_spec spec;
  unsigned in_use;                 /* used vector slots, according to the registered counter */
  unsigned most;                   /* maximum of in_use in this launch */
  uint64_t samples;                /* sum of its values every 2049 cycles */
  int64_t next_sample;             /* cycle of the next sample */
  int8_t change[SL_REGISTER_RING]; /* change of in_use at the end of cycle c, at c % RING */
  struct {
    int64_t cycle;
    unsigned index;
  } writes[2]; /* the writes of the latest even and the latest odd cycle with a write */
  unsigned free_count;
  uint16_t free[SL_MAX_WARPS * SL_REGISTERS]; /* free-slot stack */
  struct sl_warp_registers warp[SL_MAX_WARPS];
  struct sl_series series;
  int64_t series_next; /* cycle in which the current value of the series is complete */
  unsigned series_most;
};

void sl_register_file_init(struct sl_register_file *f, const struct sl_register_file_spec *spec);

/* Starts a kernel: every register of every warp is the uniform 0. Hardware needs one cycle per register, before the
 * kernel's first cycle. */
void sl_register_file_start(struct sl_register_file *f);

/* Writes the lane values of a warp's registers to the threads' arrays. */
void sl_register_file_expand(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp, uint32_t registers);

/* Sets a lane's value from outside. No write to the register may be in flight. The register is then compressed or not,
 * as after a write of all lanes. Returns false if it would need a vector slot and none is free. */
bool sl_register_file_set(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp, unsigned lane,
                          unsigned reg, uint32_t value, int64_t now);

/* Recomputes a warp's entries from the arrays after execution without timing. Changed registers are compressed or not,
 * as after a write of all lanes. A new vector gets a slot while more than `kept` are free; otherwise it is spilled. */
void sl_register_file_gather(struct sl_register_file *f, const struct sl_path_warps *t, unsigned warp, unsigned kept);

/* Applies all pending changes of in_use at once. */
void sl_register_file_settle(struct sl_register_file *f);

/* Executes an instruction that computes a value on all lanes of a warp. It computes one value if the operands are
 * compressed, else all lanes. */
enum sl_effect sl_register_file_compute(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp,
                                        const struct sl_execution *ex, const struct sl_operands *operands);

/* The same for any other instruction, and for partial warps. */
enum sl_effect sl_register_file_execute_other(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp,
                                              unsigned path, struct sl_execution *ex, struct sl_request *request,
                                              const struct sl_operands *operands);

/* Executes an instruction as sl_path_execute does. A result waits for the write-back in the warp's `result`. */
static inline enum sl_effect sl_register_file_execute(struct sl_register_file *f, struct sl_path_warps *t,
                                                      unsigned warp, unsigned path, struct sl_execution *ex,
                                                      struct sl_request *request)
{
  const struct sl_operands *operands = sl_path_warps_operands(t, ex->insn);
  struct sl_regular *result = &f->warp[warp].result;
  const enum sl_kind kind = (enum sl_kind)ex->insn->kind;
  result->regular = result->once = false;
  if (((kind >= SL_KIND_MUL && kind <= SL_KIND_FPU) || kind == SL_KIND_ALU) && ex->active == t->all && f->spec.once)
    return sl_register_file_compute(f, t, warp, ex, operands);
  return sl_register_file_execute_other(f, t, warp, path, ex, request, operands);
}

/* Whether the values of all lanes match a candidate that was derived from the first lanes. */
bool sl_register_file_regular(const struct sl_path_warps *t, const uint32_t *values, struct sl_regular candidate);

/* Compares the values of all lanes. */
static inline struct sl_regular sl_register_file_compare(const struct sl_register_file *f,
                                                         const struct sl_path_warps *t, const uint32_t *values)
{
  const unsigned lanes = t->spec.lanes;
  const uint32_t base = values[0], stride = lanes > 1 ? values[1] - base : 0;
  struct sl_regular result = {.base = base, .stride = (uint8_t)stride};
  const bool affine =
      (stride == 1 || stride == 2 || stride == 4) && f->spec.affine && (base & (lanes * stride - 1)) == 0;
  if (stride == 0 || affine)
    result.regular = sl_register_file_regular(t, values, result);
  return result;
}

/* Whether a queued result for the register must wait in cycle now. */
static inline bool sl_register_file_blocks(const struct sl_register_file *f, unsigned warp, unsigned reg, int64_t now)
{
  const unsigned index = warp * SL_REGISTERS + reg;
  return (f->writes[0].index == index && now - f->writes[0].cycle <= SL_REGISTER_WRITE_STAGES) ||
         (f->writes[1].index == index && now - f->writes[1].cycle <= SL_REGISTER_WRITE_STAGES);
}

/* Performs a write that may change the set of vectors. */
void sl_register_file_update(struct sl_register_file *f, unsigned warp, unsigned reg, bool compressed, int64_t now);

/* The vector pipeline writes the warp's result to a register, for all lanes or some. A write to x0 only occupies the
 * write pipeline. */
static inline void sl_register_file_write(struct sl_register_file *f, unsigned warp, unsigned reg, bool all_lanes,
                                          int64_t now)
{
  const struct sl_warp_registers *r = &f->warp[warp];
  const bool compressed = (unsigned)all_lanes & r->result.regular;
  f->writes[now & 1].cycle = now;
  f->writes[now & 1].index = warp * SL_REGISTERS + reg;
  if ((unsigned)(reg != 0) & (compressed | ~(r->vector >> reg)))
    sl_register_file_update(f, warp, reg, compressed, now);
}

/* The scalar pipeline writes the warp's result, which is regular. */
void sl_register_file_write_scalar(struct sl_register_file *f, unsigned warp, unsigned reg, int64_t now);

/* Marks a vector as spilled and frees its slot. */
void sl_register_file_evict(struct sl_register_file *f, unsigned warp, unsigned reg, int64_t now);

/* Frees all vector slots of a warp. Its vectors become spilled, although nothing will read them. */
void sl_register_file_abandon(struct sl_register_file *f, unsigned warp, int64_t now);

/* Registers that are accepted as scalar operands. */
static inline uint32_t sl_register_file_scalars(const struct sl_warp_registers *r)
{
  return ~(r->vector | r->spilled | r->zero);
}

/* Takes the samples that are due at the end of a cycle. */
void sl_register_file_sample(struct sl_register_file *f, int64_t now);

static inline void sl_register_file_clock(struct sl_register_file *f, int64_t now)
{
  if (now >= f->next_sample || now >= f->series_next)
    sl_register_file_sample(f, now);
  int8_t *change = &f->change[(unsigned)now % SL_REGISTER_RING];
  if (*change == 0)
    return;
  f->in_use = (unsigned)((int)f->in_use + *change);
  *change = 0;
  f->most = f->in_use > f->most ? f->in_use : f->most;
  f->series_most = f->in_use > f->series_most ? f->in_use : f->series_most;
}

/* Whether no change of in_use is pending. */
static inline bool sl_register_file_settled(const struct sl_register_file *f)
{
  return (f->change[0] | f->change[1] | f->change[2] | f->change[3]) == 0;
}

#endif
