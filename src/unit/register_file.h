/* The compressed register file: which registers are uniform or affine vectors, kept as one value, and which take a slot
 * of a vector register file that need not have room for all.
 *
 * The scalar register file has an entry per register of every warp: a base and a stride (0, 1, 2 or 4), or a vector
 * slot, or "spilled". A write is compared in the cycle after it is made, and updates entry, slots and free-slot stack
 * in the cycle after that: the number of slots in use changes two cycles after the write, at that cycle's end. A result
 * that was queued is not written while a write to the same register is in those two stages, nor in the cycle of an
 * eviction.
 *   - A write of all lanes is compressed when all values are equal, or when value l is base + l * stride with a base
 *     that is a multiple of lanes * stride.
 *   - A write of some lanes always makes a vector; the other lanes keep their old value.
 *   - A uniform 0 written here, but not one of the scalar pipeline, is compressed yet not accepted as a scalar operand.
 * (Paper, section III-B and Figure 2; alignment, stages and the treatment of 0 from the published RTL.)
 *
 * Values: a compressed register's lane values are base + l * stride, and the arrays that other units read
 * (threads.h) need not hold them: such a register is `stale` there until someone needs it as an array. */
#ifndef SL_UNIT_REGISTER_FILE_H
#define SL_UNIT_REGISTER_FILE_H

#include "base/series.h"
#include "warp/path_execute.h"

struct sl_register_file_spec {
  unsigned lanes, warps;
  unsigned slots; /* vectors there is room for, up to one per register */
  bool affine;    /* strides other than 0 are compressed too */
  bool once;      /* an operation on compressed registers is done on one value (the simulator's choice, no hardware) */
  bool addresses; /* someone looks at every lane's address */
};

/* A value as the comparison of all lanes finds it. */
struct sl_regular {
  uint32_t base;
  uint8_t stride;
  bool regular; /* else it is none, and the rest means nothing */
  bool once;    /* only base and stride have been computed, no lane values, */
  uint8_t rd;   /* of this register */
};

/* The entries of a warp; sets of registers are masks, bit r = register r. What is in none is uniform. */
struct sl_warp_registers {
  _Alignas(SL_CACHE_LINE) uint32_t vector, spilled;
  uint32_t affine; /* compressed, with a stride */
  uint32_t zero;   /* compressed, and the 0 that is no scalar operand */
  uint32_t stale;
  struct sl_regular result; /* of the instruction whose register write is yet to come */
  uint32_t base[SL_REGISTERS];
  uint8_t stride[SL_REGISTERS];
  uint16_t slot[SL_REGISTERS];
};

enum { SL_REGISTER_WRITE_STAGES = 2, SL_REGISTER_RING = 4, SL_SLOT_SAMPLE_CYCLES = 2049 };
SL_HOLDS(SL_REGISTER_RING, SL_REGISTER_WRITE_STAGES + 1, "changes that the counter does not show yet");

struct sl_register_file {
  struct sl_register_file_spec spec;
  unsigned in_use;                 /* vector slots, as the registered counter shows it */
  unsigned most;                   /* greatest value of it in this launch */
  uint64_t samples;                /* its values every 2049 cycles, added up */
  int64_t next_sample;             /* cycle */
  int8_t change[SL_REGISTER_RING]; /* to in_use, at the end of cycle c at c % RING */
  struct {
    int64_t cycle;
    unsigned index;
  } writes[2]; /* the writes of the latest even and the latest odd cycle that had one */
  unsigned free_count;
  uint16_t free[SL_MAX_WARPS * SL_REGISTERS]; /* the free-slot stack */
  struct sl_warp_registers warp[SL_MAX_WARPS];
  struct sl_series series;
  int64_t series_next; /* cycle in which the current value of the series is complete */
  unsigned series_most;
};

void sl_register_file_init(struct sl_register_file *f, const struct sl_register_file_spec *spec);

/* Start of a kernel: every register of every warp is the uniform 0. In hardware a cycle per register, before the first
 * of the kernel. */
void sl_register_file_start(struct sl_register_file *f);

/* A warp register's lane values, brought up to date in the threads' arrays. */
void sl_register_file_expand(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp, uint32_t registers);

/* A lane's value is set from outside, while no write to the register is under way: the register becomes what a write of
 * all lanes' values would make of it. False when it would be a vector and there is no slot for it. */
bool sl_register_file_set(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp, unsigned lane,
                          unsigned reg, uint32_t value, int64_t now);

/* The arrays hold a warp's values, some of which have changed while there was no time: those registers become what a
 * write of all lanes would make of them. A new vector gets a slot while more than `kept` are free, else it is spilled.
 */
void sl_register_file_gather(struct sl_register_file *f, const struct sl_path_warps *t, unsigned warp, unsigned kept);

/* All changes of how many slots are in use show at once. */
void sl_register_file_settle(struct sl_register_file *f);

/* Executes an instruction that computes a value, on all lanes of a warp: once if its operands are compressed, else on
 * the lanes. */
enum sl_effect sl_register_file_compute(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp,
                                        const struct sl_execution *ex, const struct sl_operands *operands);

/* The same for any other instruction, and for some of the lanes. */
enum sl_effect sl_register_file_execute_other(struct sl_register_file *f, struct sl_path_warps *t, unsigned warp,
                                              unsigned path, struct sl_execution *ex, struct sl_request *request,
                                              const struct sl_operands *operands);

/* Executes an instruction, with the meaning of sl_path_execute. Its result, if it has one, waits for the write-back
 * in the warp's `result`. */
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

/* Whether the values of all lanes that begin with a candidate for a regular vector are one. */
bool sl_register_file_regular(const struct sl_path_warps *t, const uint32_t *values, struct sl_regular candidate);

/* Values of all lanes, as the comparison sees them. */
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

/* A write that may change which registers are vectors. */
void sl_register_file_update(struct sl_register_file *f, unsigned warp, unsigned reg, bool compressed, int64_t now);

/* The vector pipeline writes the warp's result to a register: of all lanes or of some. For x0, only the write pipeline
 * is occupied. */
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

/* A vector has been spilled. */
void sl_register_file_evict(struct sl_register_file *f, unsigned warp, unsigned reg, int64_t now);

/* A warp's vectors are given up; their registers are spilled, though nothing will ever read them. */
void sl_register_file_abandon(struct sl_register_file *f, unsigned warp, int64_t now);

/* Registers that are accepted as scalar operands. */
static inline uint32_t sl_register_file_scalars(const struct sl_warp_registers *r)
{
  return ~(r->vector | r->spilled | r->zero);
}

/* The end of a cycle. */
void sl_register_file_sample(struct sl_register_file *f, int64_t now);

static inline void sl_register_file_clock(struct sl_register_file *f, int64_t now)
{
  if (now >= f->next_sample || now >= f->series_next)
    sl_register_file_sample(f, now);
  int8_t *change = &f->change[(unsigned)now % SL_REGISTER_RING];
  f->in_use = (unsigned)((int)f->in_use + *change);
  *change = 0;
  f->most = f->in_use > f->most ? f->in_use : f->most;
  f->series_most = f->in_use > f->series_most ? f->in_use : f->series_most;
}

/* No change is on its way. */
static inline bool sl_register_file_settled(const struct sl_register_file *f)
{
  return (f->change[0] | f->change[1] | f->change[2] | f->change[3]) == 0;
}

#endif
