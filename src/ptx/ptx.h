/* PTX programs as data: the result of parsing a module, executed by the executor and examined by a timing model.
 *
 * All functions of a module are one array of instructions; a PC is an index into it. Each register of each function has
 * a fixed place in a warp's block of registers, and each `.local` variable and parameter of a device function has one
 * in the thread's frame. Functions that may be active several times, because they are recursive, are deep: they have
 * such a frame, and a window of registers, at each level of calls. Nothing is allocated while a grid runs. */
#ifndef SL_PTX_PTX_H
#define SL_PTX_PTX_H

#include "base/error.h"
#include "base/types.h"

enum { SL_PTX_LANES = 32, SL_PTX_ELEMENTS = 4, SL_PTX_NAME = 256 };

/* Registers that a machine with timing tells apart. A function with more names shares them (ptx/ptx_passes.h). */
enum { SL_PTX_TOLD_APART = 1024 };

/* A type of an instruction or a variable. Within a group the order is by size. */
enum sl_ptx_type {
  SL_PTX_NO_TYPE,
  SL_PTX_PRED,
  SL_PTX_B8,
  SL_PTX_B16,
  SL_PTX_B32,
  SL_PTX_B64,
  SL_PTX_U8,
  SL_PTX_U16,
  SL_PTX_U32,
  SL_PTX_U64,
  SL_PTX_S8,
  SL_PTX_S16,
  SL_PTX_S32,
  SL_PTX_S64,
  SL_PTX_F16,
  SL_PTX_F32,
  SL_PTX_F64,
  SL_PTX_BF16,
  SL_PTX_F16X2, /* pairs in a word */
  SL_PTX_BF16X2
};

enum sl_ptx_space {
  SL_PTX_GENERIC,
  SL_PTX_GLOBAL,
  SL_PTX_SHARED,
  SL_PTX_LOCAL,
  SL_PTX_CONST,
  SL_PTX_PARAM /* parameters of kernels; those of device functions are kept in the thread's frame */
};

/* Latency classes, one row each in the table of docs/how-to/ptx.md. */
enum sl_ptx_class {
  SL_PTX_C_OTHER, /* moves, logic, conversions, branches, barriers: all without a separate class */
  SL_PTX_C_INT_ADD,
  SL_PTX_C_INT_MINMAX,
  SL_PTX_C_INT_MUL,
  SL_PTX_C_INT_MAD,
  SL_PTX_C_MUL24,
  SL_PTX_C_MAD24,
  SL_PTX_C_F32_ADD, /* add sub */
  SL_PTX_C_F32_MUL,
  SL_PTX_C_F32_MAD,
  SL_PTX_C_F32_MINMAX,
  SL_PTX_C_F64_ADD,
  SL_PTX_C_F64_MUL,
  SL_PTX_C_F64_MAD,
  SL_PTX_C_F64_MINMAX,
  SL_PTX_C_INT_DIV,
  SL_PTX_C_F32_DIV,
  SL_PTX_C_F64_DIV,
  SL_PTX_C_SFU, /* sqrt rsqrt rcp */
  SL_PTX_C_SINE,
  SL_PTX_C_POWER, /* ex2 tanh */
  SL_PTX_C_LOGARITHM,
  SL_PTX_C_SHFL,
  SL_PTX_C_MMA,
  SL_PTX_C_MEMORY, /* ld st atom red tex membar */
  SL_PTX_CLASSES
};

enum sl_ptx_unit { SL_PTX_INT, SL_PTX_SP, SL_PTX_DP, SL_PTX_SFU, SL_PTX_TENSOR, SL_PTX_MEM };

/* Kind of an instruction; the executor has a case for each. */
enum sl_ptx_kind {
  SL_PTX_K_LANES,     /* a value per lane, by a row of ptx_lanes.def */
  SL_PTX_K_CONDITION, /* setp, testp, isspacep: a predicate, by a row */
  SL_PTX_K_SET,       /* set: all ones or 1.0 where a condition holds */
  SL_PTX_K_LOGIC,     /* and or xor not mov of predicates */
  SL_PTX_K_PACK,
  SL_PTX_K_UNPACK, /* mov of vectors */
  SL_PTX_K_CLOCK,  /* reads of %clock, %clock64 */
  SL_PTX_K_LOAD,
  SL_PTX_K_STORE,
  SL_PTX_K_ATOMIC, /* red is an atomic without destination */
  SL_PTX_K_TEX,    /* texture fetch: handle a, coordinates b and c */
  SL_PTX_K_SHFL,
  SL_PTX_K_VOTE,
  SL_PTX_K_MATCH,
  SL_PTX_K_REDUX, /* mode: enum sl_ptx_atomic */
  SL_PTX_K_ACTIVEMASK,
  SL_PTX_K_TENSOR,       /* wmma.mma, mma, movmatrix: of the whole warp, with operands in `more` */
  SL_PTX_K_TILE,         /* wmma.load, wmma.store, ldmatrix, stmatrix: the same with memory; b: the stride */
  SL_PTX_K_ASYNC,        /* cp.async: from global memory (a) to shared memory (b + c), e bytes; `wide`: b has 64 bits */
  SL_PTX_K_ASYNC_COMMIT, /* ends a group of them */
  SL_PTX_K_ASYNC_WAIT,   /* until all but the last `immediate` groups are complete; SL_PTX_ALL_GROUPS: until all are */
  SL_PTX_K_STACK, /* alloca, stacksave, stackrestore: mode: enum sl_ptx_stack; `immediate`: place of the function's
                     stack */
  SL_PTX_K_BRANCH,
  SL_PTX_K_CALL,
  SL_PTX_K_SERVICE, /* call of the host (ptx/run/ptx_execute.h): `target` is the function's number, `mode` the service
                     */
  SL_PTX_K_RETURN,
  SL_PTX_K_EXIT,
  SL_PTX_K_TRAP,
  SL_PTX_K_BARRIER, /* bar, barrier; with .sync, .arrive, .red */
  SL_PTX_K_MEMBAR,  /* membar, fence */
  SL_PTX_K_LINEAR,  /* of a kernel with linear registers (ptx/run/ptx_linear.h): declarations, and the end of a phase */
  SL_PTX_K_NOTHING  /* prefetch, bar.warp.sync */
};

/* A register as timing sees it: its number in the warp (small and dense), the number in its name, and its size per
 * thread in 32-bit words. Predicates have size 0 because they are not in the register file. */
struct sl_ptx_reg {
  uint16_t id; /* SL_PTX_NO_REG: none */
  uint16_t printed;
  uint8_t words;
};
enum { SL_PTX_NO_REG = 0xffff };

/* Place of 32 values, one per lane: an offset in bytes into one of these areas. */
enum sl_ptx_area { SL_PTX_REGISTERS, SL_PTX_CONSTANTS, SL_PTX_SPECIALS };
struct sl_ptx_place {
  uint32_t area : 2;
  uint32_t offset : 30;
};

/* Formats of matrix elements. */
enum sl_ptx_format {
  SL_PTX_M_F16,
  SL_PTX_M_BF16,
  SL_PTX_M_TF32,
  SL_PTX_M_F32,
  SL_PTX_M_F64,
  SL_PTX_M_INT8,
  SL_PTX_M_UINT8,
  SL_PTX_M_INT4,
  SL_PTX_M_UINT4,
  SL_PTX_M_BIT,
  SL_PTX_M_INT32,
  SL_PTX_M_FORMATS
};

/* The matrices of d = a * b + c, in the order of the operands. */
enum sl_ptx_matrix { SL_PTX_D, SL_PTX_A, SL_PTX_B, SL_PTX_C, SL_PTX_MATRICES };

enum sl_ptx_tensor_mode { /* TENSOR, TILE */
                          SL_PTX_TENSOR_MMA,
                          SL_PTX_TENSOR_QUADS, /* four products, one per quadruple of lanes: mma.m8n8k4 of f16 */
                          SL_PTX_TENSOR_MOVE,  /* movmatrix */
                          SL_PTX_TILE_MATRIX,  /* wmma.load, wmma.store: lines at a stride */
                          SL_PTX_TILE_ROWS     /* ldmatrix, stmatrix: lanes have the addresses of the lines */
};

enum { SL_PTX_FRAGMENT = 8 /* registers of a matrix, at most */ };

/* Operands and properties of an instruction on matrices, which has more registers than others. */
struct sl_ptx_more {
  struct sl_ptx_more *next; /* in the module */
  uint8_t dsts, srcs;       /* without guard, address and stride */
  struct sl_ptx_reg dst[SL_PTX_FRAGMENT], src[3 * SL_PTX_FRAGMENT];
  struct sl_ptx_place place[SL_PTX_MATRICES][SL_PTX_FRAGMENT];
  uint8_t registers[SL_PTX_MATRICES], format[SL_PTX_MATRICES]; /* enum sl_ptx_format */
  uint16_t m, n, k;
  bool column[SL_PTX_MATRICES]; /* the matrix is stored by columns; QUADS: so are fragments */
  bool bits_and;                /* of bits: AND, not XOR */
  uint8_t matrix;               /* TILE: the matrix, and the lines in memory that hold it */
  uint8_t lines, line_bytes;
  bool store, transposed; /* TILE */
  uint8_t share;          /* TENSOR: of the time of 4096 multiply-adds of 16 bits, in 64ths */
};

struct sl_ptx_insn {
  uint8_t kind;  /* enum sl_ptx_kind */
  uint8_t class; /* enum sl_ptx_class */
  uint8_t unit;  /* enum sl_ptx_unit */
  uint8_t type;  /* enum sl_ptx_type: of the operation, of the loaded or stored value */

  /* For timing. Predicates are registers. */
  uint8_t dsts, srcs;                     /* their numbers; vectors and second destinations count */
  struct sl_ptx_reg dst[SL_PTX_ELEMENTS]; /* in operand order */
  struct sl_ptx_reg src[SL_PTX_ELEMENTS]; /* in operand order, with vector elements, without guard and address */
  struct sl_ptx_reg guard, address;
  uint8_t space;          /* enum sl_ptx_space as written; the effect has the space of a generic address */
  uint8_t bytes;          /* of one element of an access */
  uint8_t elements;       /* 1, 2 or 4 */
  bool uncached;          /* .cg, .cv or .volatile: bypasses L1 */
  bool parameter;         /* of a device function: space is LOCAL, and calls write it */
  bool vote_all;          /* kind VOTE: see mode */
  uint8_t order;          /* set of enum sl_ptx_order */
  uint32_t target;        /* BRANCH, CALL: the target PC */
  uint32_t reconvergence; /* BRANCH: start of the immediate post-dominator block; SL_PTX_NOWHERE: the function's end */

  /* BRANCH of a loop that takes a lock: the PC after the lock's release; else 0. The lanes that have the lock run up to
   * there first, as the lanes of GPUs from sm_70 on can. */
  uint32_t release;

  /* For the executor. */
  bool negated;                      /* the guard */
  bool negated_c;                    /* the predicate c */
  bool ftz, saturate;                /* subnormals are flushed to 0; results are clamped to [0, 1] */
  bool careful;                      /* one of these, a rounding other than to nearest, or a wider register */
  bool address32;                    /* the address register has 32 bits */
  uint8_t mode;                      /* depends on the kind: combination, operation, see the enums below */
  uint8_t rounding;                  /* enum sl_ptx_rounding */
  uint8_t wide;                      /* elements with a 64-bit register; LANES: enum sl_ptx_wider */
  uint8_t moved;                     /* enum sl_ptx_moved, of loads and stores */
  uint16_t row;                      /* of ptx_lanes.def */
  uint32_t guard_offset;             /* of the predicate in the registers */
  struct sl_ptx_place d, a, b, c, e; /* e: a fourth source, or a second destination if has_e */
  bool has_e;
  bool deep;                   /* in a function that may be active several times in a thread */
  uint8_t framed;              /* enum sl_ptx_framed */
  uint16_t results, arguments; /* CALL with copies: numbers of the module's transfers from `immediate` on */
  uint32_t function;           /* CALL, RETURN: number of the called function, of its own function */
  struct sl_ptx_place element[SL_PTX_ELEMENTS]; /* of vectors, of the loaded or stored values */
  int64_t immediate;                            /* offset of an address; result of set */
  struct sl_ptx_more *more;                     /* TENSOR, TILE: the operands; NULL otherwise */

  uint32_t line, column; /* in the PTX text */
  uint32_t source;       /* index into the module's source lines plus 1; 0: no .loc before it */
};
#define SL_PTX_NOWHERE UINT32_MAX
#define SL_PTX_ALL_GROUPS INT64_MAX

enum sl_ptx_rounding { SL_PTX_RN, SL_PTX_RZ, SL_PTX_RM, SL_PTX_RP };

/* `mode`, by kind. */
enum sl_ptx_p_source { SL_PTX_P_NONE, SL_PTX_P_PREDICATE, SL_PTX_P_CARRY }; /* LANES */
enum sl_ptx_call {                                                          /* CALL */
                   SL_PTX_CALL_SHARED, /* arguments and results are in the places of the callee's parameters */
                   SL_PTX_CALL_COPIED, /* they are copied */
                   SL_PTX_CALL_ADDRESS /* the same; the address of the function is a */
};
/* An operand of a deep instruction is an address in the thread's frame: a, or another, which is not supported. */
enum sl_ptx_framed { SL_PTX_NOT_FRAMED, SL_PTX_FRAMED, SL_PTX_FRAMED_OTHER };
enum sl_ptx_wider { SL_PTX_WIDER_A = 1, SL_PTX_WIDER_D = 2 }; /* 64-bit registers for values of a narrower type */
enum sl_ptx_combination { SL_PTX_ALONE, SL_PTX_WITH_AND, SL_PTX_WITH_OR, SL_PTX_WITH_XOR }; /* CONDITION, SET */
enum sl_ptx_logic { SL_PTX_MOV, SL_PTX_NOT, SL_PTX_AND, SL_PTX_OR, SL_PTX_XOR };            /* LOGIC */
enum sl_ptx_atomic {                                                                        /* ATOMIC */
                     SL_PTX_ATOM_ADD,
                     SL_PTX_ATOM_MIN,
                     SL_PTX_ATOM_MAX,
                     SL_PTX_ATOM_AND,
                     SL_PTX_ATOM_OR,
                     SL_PTX_ATOM_XOR,
                     SL_PTX_ATOM_EXCH,
                     SL_PTX_ATOM_CAS,
                     SL_PTX_ATOM_INC,
                     SL_PTX_ATOM_DEC
};
/* What accesses and fences order, for checkers. */
enum sl_ptx_order {
  SL_PTX_STRONG = 1,    /* .relaxed, .acquire, .release and atomics: no data race with each other */
  SL_PTX_ACQUIRE = 2,   /* later accesses follow it */
  SL_PTX_RELEASE = 4,   /* earlier accesses precede it */
  SL_PTX_IN_BLOCK = 8,  /* .cta: only for threads of the block */
  SL_PTX_VOLATILE = 16, /* .volatile */
  SL_PTX_WARP_SYNC = 32 /* with members: SHFL element[0], VOTE, MATCH, REDUX, NOTHING (bar.warp.sync) b */
};
/* A function with alloca has a stack in its frame: a word with the bytes in use, then the bytes. It is empty when the
 * function begins. */
enum { SL_PTX_STACK_HEAD = 16, SL_PTX_STACK_BYTES = 4096 };
enum sl_ptx_stack {
  SL_PTX_STACK_EMPTY,
  SL_PTX_STACK_ALLOCA /* `target`: alignment */,
  SL_PTX_STACK_SAVE,
  SL_PTX_STACK_RESTORE
};
enum sl_ptx_barrier { /* BARRIER: the last three are reductions of the predicate c */
                      SL_PTX_BAR_SYNC,
                      SL_PTX_BAR_ARRIVE,
                      SL_PTX_BAR_POPC,
                      SL_PTX_BAR_AND,
                      SL_PTX_BAR_OR
};
enum sl_ptx_shuffle { SL_PTX_SHFL_UP, SL_PTX_SHFL_DOWN, SL_PTX_SHFL_BFLY, SL_PTX_SHFL_IDX }; /* SHFL */
/* TEX: bits. a is the handle, or the address of a bound variable. */
enum sl_ptx_tex { SL_PTX_TEX_2D = 1, SL_PTX_TEX_REAL = 2, SL_PTX_TEX_3D = 4 };
enum sl_ptx_vote { SL_PTX_VOTE_ALL, SL_PTX_VOTE_ANY, SL_PTX_VOTE_UNI, SL_PTX_VOTE_BALLOT }; /* VOTE */
enum sl_ptx_match { SL_PTX_MATCH_ANY, SL_PTX_MATCH_ALL };                                   /* MATCH */

enum sl_ptx_linear_mode { /* LINEAR */
                          SL_PTX_LINEAR_CR,
                          SL_PTX_LINEAR_TR,
                          SL_PTX_LINEAR_BR,
                          SL_PTX_LINEAR_SLICE,
                          SL_PTX_LINEAR_SUM,
                          SL_PTX_LINEAR_END
};

/* A variable of a caller that is an argument or a result: its place in the frame. */
struct sl_ptx_transfer {
  uint32_t offset, bytes;
};

struct sl_ptx_param {
  char name[SL_PTX_NAME]; /* shortened to fit */
  enum sl_ptx_type type;
  uint32_t offset, bytes;
};

/* An entry or a device function. */
struct sl_ptx_function {
  char *name;
  bool entry, defined;
  bool taken;  /* its address is a value */
  bool deep;   /* it may be active several times in a thread, so it has a frame and registers at each call level */
  bool shares; /* registers have one number and place if their values are not needed at once */
  uint32_t line;
  uint32_t begin, end;         /* its instructions */
  int32_t unrolled;            /* of these, added by options.unroll; negative: it removed more */
  uint32_t predicated;         /* branches that options.predicate removed */
  struct sl_ptx_param *params; /* of an entry: offsets in the parameter space; else in the frame; results last */
  unsigned param_count, result_count;
  uint32_t param_bytes;
  /* Of an entry, including all functions that it calls: */
  unsigned registers;       /* number of values of sl_ptx_reg.id */
  unsigned regs_per_thread; /* estimated 32-bit registers per thread, for occupancy */
  uint32_t register_bytes;  /* of a warp's block of registers */
  uint32_t shared_bytes;    /* static */
  uint32_t shared_base;     /* of these, used together with other functions */
  uint32_t shared_gaps;     /* of these, no variable's: behind variables (options.gaps) */
  uint32_t local_bytes;     /* of a thread's frame */
  /* If functions are deep: the number of call levels, the frame of a level, which local_bytes has 1 + levels times, and
   * the registers of a level, which lie below the others. */
  uint32_t levels, frame_bytes, window_bytes;
  uint32_t max_threads; /* from .maxntid; 0: not given */
  uint32_t block[3];    /* from .reqntid; 0: not given */
};

struct sl_ptx_variable {
  char *name;
  enum sl_ptx_space space;
  uint64_t address; /* in its space */
  uint64_t bytes;
  bool texture; /* .texref: holds the handle of a texture */
};

/* A variable in shared memory, for reports. */
struct sl_ptx_shared {
  char *name;
  uint32_t address, bytes;
  uint32_t function; /* that declares it; UINT32_MAX: the module */
};

struct sl_ptx_source {
  uint32_t file, line, column; /* column 0: unknown */
};

struct sl_ptx_options {
  bool gaps; /* leave bytes free behind an entry's shared variables, for the checker */
  /* Instructions of kernels are scheduled (ptx_passes.h) as long as they need no more than so many registers per
   * thread. 0: they keep their order. */
  unsigned schedule;
  bool unroll, predicate;      /* loops and short branches of kernels change (ptx/text/ptx_transform.h) */
  bool unfused;                /* fma and mad round the product and the sum separately */
  uint64_t globals, constants; /* offsets of the module's variables in global and constant memory */
  uint64_t code;               /* instructions of modules before this one, for the address in instruction memory */
  uint64_t functions;          /* functions of modules before this one, for addresses of functions */
};

/* Addresses of functions, by number: no memory is there. */
#define SL_PTX_FUNCTION_BASE UINT64_C(0x08000000)
enum { SL_PTX_FUNCTION_STEP = 16 };

struct sl_ptx_module {
  char path[SL_PTX_NAME];
  unsigned target; /* .target sm_NN; 0: unknown */
  struct sl_ptx_insn *code;
  uint32_t code_count;
  struct sl_ptx_function *functions;
  unsigned function_count;
  struct sl_ptx_variable *variables; /* .global, .const of the module */
  unsigned variable_count;
  struct sl_ptx_shared *shared;
  unsigned shared_count;
  uint8_t *constants; /* lanes of immediates and addresses: SL_PTX_CONSTANTS */
  uint32_t constant_bytes;
  uint8_t *global_image, *const_image; /* initial contents */
  uint64_t global_bytes, const_bytes;
  struct sl_ptx_transfer *transfers;
  struct sl_ptx_more *more; /* a list */
  struct sl_ptx_source *sources;
  uint32_t source_count;
  char (*files)[SL_PTX_NAME]; /* by number of .file */
  unsigned file_count;
  struct sl_ptx_options options;
};

/* The source line of an instruction, by .loc; NULL: unknown. */
static inline const struct sl_ptx_source *sl_ptx_source_of(const struct sl_ptx_module *m, uint32_t pc)
{
  const uint32_t number = m->code[pc].source;
  const struct sl_ptx_source *s = number > 0 ? &m->sources[number - 1] : NULL;
  return s != NULL && s->line != 0 && s->file < m->file_count && m->files[s->file][0] != '\0' ? s : NULL;
}

static inline bool sl_ptx_is_float(enum sl_ptx_type type)
{
  return type >= SL_PTX_F16;
}

/* f16, bf16, or a pair of them. */
static inline bool sl_ptx_is_half(enum sl_ptx_type type)
{
  return sl_ptx_is_float(type) && type != SL_PTX_F32 && type != SL_PTX_F64;
}

static inline bool sl_ptx_is_pair(enum sl_ptx_type type)
{
  return type >= SL_PTX_F16X2;
}

/* All registers that an instruction writes and reads, without guard and address, by number: those in `more` follow. */
static inline unsigned sl_ptx_dsts(const struct sl_ptx_insn *in)
{
  return in->dsts + (in->more != NULL ? in->more->dsts : 0u);
}

static inline unsigned sl_ptx_srcs(const struct sl_ptx_insn *in)
{
  return in->srcs + (in->more != NULL ? in->more->srcs : 0u);
}

static inline struct sl_ptx_reg sl_ptx_dst(const struct sl_ptx_insn *in, unsigned i)
{
  return i < in->dsts ? in->dst[i] : in->more->dst[i - in->dsts];
}

static inline struct sl_ptx_reg sl_ptx_src(const struct sl_ptx_insn *in, unsigned i)
{
  return i < in->srcs ? in->src[i] : in->more->src[i - in->srcs];
}

/* Bytes of a value of a type; 0 for predicates. */
unsigned sl_ptx_type_bytes(enum sl_ptx_type type);

/* The unit of a latency class. */
enum sl_ptx_unit sl_ptx_class_unit(enum sl_ptx_class class);

/* The address of a function; the number of the function at an address, or UINT32_MAX if there is none to call. */
uint64_t sl_ptx_function_address(const struct sl_ptx_module *module, uint32_t number);
uint32_t sl_ptx_function_at(const struct sl_ptx_module *module, uint64_t address);

void sl_ptx_free(struct sl_ptx_module *module);

/* The entry of a name; NULL if there is none. */
const struct sl_ptx_function *sl_ptx_entry(const struct sl_ptx_module *module, const char *name);

/* Translates PTX text into a module: parses, checks and resolves it. */

/* Parses, checks and resolves a module. `path` is for messages. On failure the message begins with path:line:column.
 * The texts of several modules one after another are one module: an .extern name means the definition in any of them.
 */
enum sl_status sl_ptx_parse(struct sl_ptx_module **module, const char *text, size_t length, const char *path,
                            const struct sl_ptx_options *options, struct sl_error *err);
enum sl_status sl_ptx_load(struct sl_ptx_module **module, const char *path, const struct sl_ptx_options *options,
                           struct sl_error *err);

#endif
