/* PTX operations on the lanes of a warp: a function per row of ptx_lanes.def, built once per x86-64 level like
 * isa/lanes.c.
 *
 * A register is an array of 32 values: uint32_t for types of 8 to 32 bits, uint64_t for types of 64 bits. Bits above
 * the type's size are undefined; a 16-bit read uses only 16 bits. A predicate is a word with a bit per lane. */
#ifndef SL_PTX_RUN_PTX_LANES_H
#define SL_PTX_RUN_PTX_LANES_H

#include "ptx/ptx.h"

/* Operands: arrays of 32 values. Sources that a row does not have are not read, but must not be NULL. */
struct sl_ptx_lane_operands {
  void *d;
  const void *a, *b, *c, *e;
  uint32_t p; /* a predicate, or the carry */
};

/* Writes d on the active lanes. Returns the lanes for which a condition holds, or the carries. */
typedef uint32_t sl_ptx_lane_function(const struct sl_ptx_lane_operands *o, uint32_t active);

enum sl_ptx_row_number {
#define VALUE(id, class, d, a, b, c, e, value) SL_PTX_ROW_##id,
#define CARRY(id, class, d, a, b, c, value, carry) SL_PTX_ROW_##id,
#define COND(id, a, b, value) SL_PTX_ROW_##id,
#define ARRAY(id, class, call) SL_PTX_ROW_##id,
#include "ptx/run/ptx_lanes.def"
  SL_PTX_ROWS
};

struct sl_ptx_row {
  const char *name;
  uint8_t class;           /* enum sl_ptx_class */
  uint8_t d, a, b, c, e;   /* enum sl_ptx_type; SL_PTX_NO_TYPE: absent */
  bool condition, carries; /* the result is a predicate; it reads and writes the carry */
};

/* Address computation of a warp's access, and properties of the addresses of its active lanes. */
struct sl_ptx_addressing {
  const void *registers; /* 32 values, of 32 bits if `narrow` */
  bool narrow;
  uint32_t active;     /* not empty */
  uint64_t immediate;  /* added to each */
  uint64_t base;       /* of the memory accessed */
  uint64_t stride;     /* from one lane's own memory to the next lane's; 0: shared */
  uint64_t bytes;      /* of an access */
  uint64_t bits, most; /* the OR of all offsets to the base, and their maximum */
  bool consecutive;    /* all lanes are active, and their accesses are contiguous in lane order */
};

/* Values moved between memory and a register. */
enum sl_ptx_moved {
  SL_PTX_M_U8,
  SL_PTX_M_U16,
  SL_PTX_M_U32,
  SL_PTX_M_U64,
  SL_PTX_M_S8,
  SL_PTX_M_S16,
  SL_PTX_M_S32,
  SL_PTX_MOVED
};

/* Loads or stores `registers` on the active lanes, lane l at data + offset[l]. If two lanes store to one address, the
 * higher lane wins. */
typedef void sl_ptx_move_function(void *registers, uint8_t *data, const uint64_t *offset, uint32_t active);

/* Predecoded instructions (ptx/step/ptx_step.h). */
struct sl_ptx_run;
struct sl_ptx_step;
typedef const struct sl_ptx_step *sl_ptx_step_function(struct sl_ptx_run *r, const struct sl_ptx_step *s);

/* Computes the addresses of a step's access by all lanes, the least and the greatest. Returns their shape: steps of
 * `bytes`, one address, or others. */
typedef enum sl_shape sl_ptx_places_function(const struct sl_ptx_run *r, const struct sl_ptx_step *s, uint64_t bytes,
                                             uint64_t *address, uint64_t ends[2]);

struct sl_ptx_lane_ops {
  const char *level;
  sl_ptx_lane_function *execute[SL_PTX_ROWS];
  sl_ptx_step_function *direct[SL_PTX_ROWS]; /* a row as a step of all lanes; NULL: there is none */
  const struct sl_ptx_direct_ops *memory;
  /* Computes the addresses, and their offsets from the data of the base, of the active lanes; those of other lanes are
   * undefined. */
  void (*addresses)(struct sl_ptx_addressing *a, uint64_t *address, uint64_t *offset);
  sl_ptx_move_function *load[SL_PTX_MOVED][2], *store[SL_PTX_MOVED][2]; /* [1]: registers of 64 bits */
};

/* Loads and stores as steps of all lanes: of values in registers of 64 bits ([1][ ]), at addresses of 32 bits ([ ][1]).
 * NULL: there is none. Vectors have one function for all. `some`: all of them for some lanes. `places`: at addresses of
 * 32 bits ([1]). */
struct sl_ptx_direct_ops {
  sl_ptx_step_function *load[SL_PTX_MOVED][2][2], *store[SL_PTX_MOVED][2][2], *vector[2], *some[2];
  sl_ptx_places_function *places[2];
};

/* The fastest functions that this host supports. */
const struct sl_ptx_lane_ops *sl_ptx_lane_ops(void);
/* The functions of the portable build. */
const struct sl_ptx_lane_ops *sl_ptx_lane_ops_portable(void);

/* Properties of a row. */
const struct sl_ptx_row *sl_ptx_row(unsigned number);
/* The row of a name; SL_PTX_ROWS if there is none. */
unsigned sl_ptx_row_find(const char *name);

#endif
