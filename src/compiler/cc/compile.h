/* Compiles C, C++ and assembly files to objects or a program, with the stock cross-compilers and runtime/. A program
 * includes the target's start code and library. */
#ifndef SL_TOOLCHAIN_COMPILE_H
#define SL_TOOLCHAIN_COMPILE_H

#include <stddef.h>

#include "base/error.h"
#include "base/types.h"
#include "compiler/cc/tools.h"
#include "compiler/isa64/allocate/allocate.h"
#include "isa/isa.h"

/* Options of compilation for 64-bit instruction words (docs/explanation/backend.md): number of registers, banks,
 * callee-saved registers, and allocation policy. */

struct sl_wide_options {
  bool stock; /* no compilation: translates the stock compiler's code for 32 registers; the other options are unused */
  enum sl_allocation allocation;
  unsigned registers, banks;
  enum sl_bank_map map;
  bool saved[SL_REGISTERS];
};

/* The options as command-line words; NULL: the default. */
struct sl_wide_words {
  const char *allocation; /* stock, unaware, first-fit, cost */
  const char *registers, *banks;
  const char *map;   /* modulo, blocks, folded */
  const char *saved; /* callee-saved registers from 32 on, such as "48-95" or "40,48-63"; "none" */
};

/* The defaults are 128 registers in 4 banks, policy `cost`. SL_USAGE: a word is invalid, alone or with the others. */
enum sl_status sl_wide_options_read(struct sl_wide_options *options, const struct sl_wide_words *words,
                                    struct sl_error *err);

/* Returns the name of the first option that is not at its default; NULL: all are. */
const char *sl_wide_words_given(const struct sl_wide_words *words);

/* A compile order: inputs, target machine and goal; and its checks. */

#define SL_PICOLIBC "/usr/lib/picolibc/riscv64-unknown-elf"

enum sl_goal {
  SL_GOAL_PROGRAM,
  SL_GOAL_OBJECT,       /* -c */
  SL_GOAL_ASSEMBLY,     /* -S */
  SL_GOAL_PREPROCESSED, /* -E, -M, -MM */
  SL_GOAL_CHECKED,      /* -fsyntax-only */
};

enum sl_input_kind {
  SL_INPUT_UNKNOWN,
  SL_INPUT_C,
  SL_INPUT_CXX,
  SL_INPUT_ASSEMBLY,
  SL_INPUT_LINKED, /* an object, an archive, or a linker option that keeps its position among them */
};

struct sl_input {
  const char *word;     /* a file, "-" for the standard input, or a linker option */
  const char *language; /* as for -x; NULL: by the file's suffix */
  bool of_linker;       /* an option, not a file */
};

struct sl_compile_order {
  const struct sl_input *inputs;
  size_t input_count;
  enum sl_goal goal;
  const char *output;          /* NULL: from the file's name; required for a program */
  const char *runtime;         /* folder of start code and library */
  const char *const *flags;    /* of the compiler, NULL-terminated; NULL: none */
  bool vortex;                 /* for Vortex, otherwise for SIMTight and Simty */
  bool grid;                   /* for SM7, whose hardware distributes the blocks */
  bool wide;                   /* for Vortex: in 64-bit instruction words */
  struct sl_wide_options code; /* compilation of functions for 64-bit words */
  bool ptx;                    /* CUDA kernels, to PTX */
  bool fp;                     /* float instructions (Zfinx), compiled by Clang */
  bool rv32e;                  /* 16 registers */
  bool clang;                  /* C and C++ by Clang */
  bool no_marks;               /* no reconvergence annotations */
  bool lane_barriers;          /* marks for Vortex with a pc per lane */
  bool auto_marks;             /* C and C++ by Clang, annotated by the marks tool */
  bool warn_waits;             /* list loops in which lanes may wait for each other */
  const char *marks_tool;      /* path of simtlab-marks; NULL: search PATH */
  bool cfm, dmsl;              /* Vortex's loops and streams in hardware */
  bool no_start;               /* link no start code (-nostartfiles) */
  bool no_libraries;           /* link neither kernel library nor C library (-nodefaultlibs) */
  bool own_script;             /* the linker script is among the inputs (-T) */
  bool relocatable;            /* partial link (-r): the output is an object, without start code and libraries */
};

enum sl_input_kind sl_input_kind(const struct sl_input *input);
bool sl_is_source_kind(enum sl_input_kind kind);

/* Returns the last compiler flag with this prefix, or NULL. */
const char *sl_last_flag(const struct sl_compile_order *order, const char *prefix);
bool sl_has_flag(const struct sl_compile_order *order, const char *flag);

/* Check that the target's options are compatible; the second one checks the order and its files, too. */
enum sl_status sl_compile_target_check(const struct sl_compile_order *order, struct sl_error *err);
enum sl_status sl_compile_order_check(const struct sl_compile_order *order, struct sl_error *err);

/* Whether the text after -march= names Zicsr: every machine has it and the headers use it, but compilers require the
 * name. */
bool sl_march_names_zicsr(const char *march);

/* SL_USAGE: the order is invalid, a tool is missing, or a tool failed; the log has the tools' messages. */
enum sl_status sl_compile(const struct sl_compile_order *order, struct sl_tools *tools, struct sl_error *err);

/* Passes the flags' query (--version, -dumpmachine, -print-..., -Wl,--version) to the C compiler or the linker; the
 * answer goes to the standard output. */
enum sl_status sl_ask_compiler(const struct sl_compile_order *order, struct sl_tools *tools, struct sl_error *err);

/* Compiles CUDA kernels to PTX, by Clang alone: no host code, no CUDA library, no linking. Compiles the order's single
 * source to its output, or to a .ptx of the source's name in the current folder. Kernels include the runtime's
 * simt_ptx.h. */
enum sl_status sl_compile_ptx(const struct sl_compile_order *order, struct sl_tools *tools, struct sl_error *err);

/* Flags of compilers and linker for a target, for any source: they produce code that the machine can run and keep the
 * annotations in place. */

#define SL_GCC "riscv64-unknown-elf-gcc"
#define SL_CLANG "clang-19"
#define SL_CLANGXX "clang++-19" /* of the same package; links */

/* Appends a compiler's flags for a kind of source, without the compiler's name. */
void sl_add_compile_flags(const struct sl_compile_order *order, struct sl_words *words, enum sl_input_kind kind,
                          bool clang);

/* Appends those flags that Clang needs for C, C++ and assembly alike. */
void sl_add_clang_flags(const struct sl_compile_order *order, struct sl_words *words);

/* Appends -march= and -mabi= for the library search. */
void sl_add_library_variant(const struct sl_compile_order *order, struct sl_words *words);

/* Append the flags before and after the linked files. */
void sl_add_link_flags(const struct sl_compile_order *order, struct sl_words *words);
void sl_add_libraries(const struct sl_compile_order *order, struct sl_words *words);

/* Files of the runtime. */
#define SL_CXX_LIBRARY "simt_cxx.cc"
#define SL_PRINT_LIBRARY "simt_print.c" /* for programs whose kernels print */
const char *sl_target_start(const struct sl_compile_order *order);
const char *sl_target_library(const struct sl_compile_order *order);

/* Links programs of 64-bit instruction words, and compiles objects for them. The linker compiles functions with
 * machine IR, translates all other RV32 code in the objects word by word, and links both with the stock C library
 * (compiler/isa64/link/link64.h). */

/* RV32 objects that also contain LLVM's machine IR of their functions, so that the linker can compile it for 64-bit
 * instruction words. The IR is in a section that is not loaded; other tools see ordinary objects and
 * archives. */

/* Clang flags for it; NULL-terminated. */
extern const char *const sl_machine_ir_clang_flags[];

/* Compiles bitcode to the object. Annotated bitcode is compiled as the marks tool would compile it. */
enum sl_status sl_machine_ir_object(const char *bitcode, bool marked, const char *object, struct sl_tools *tools,
                                    struct sl_error *err);

/* Flags for calling clang-19 and its linker directly, as simtlab cc would call them. Only the source's own annotations
 * apply then. */

struct sl_direct_use {
  bool cflags;  /* for compiling C, C++ and assembly */
  bool ldflags; /* for linking, after the objects */
  bool runtime; /* runtime sources that are part of every program */
};

enum sl_status sl_add_direct_use(const struct sl_compile_order *order, const struct sl_direct_use *use,
                                 struct sl_words *words, struct sl_error *err);

/* `compiled`: objects of the order's sources and of the runtime; objects and archives among its inputs follow. The log
 * lists functions with machine IR that are translated nevertheless. */
enum sl_status sl_link_wide(const struct sl_compile_order *order, char *const *compiled, size_t count,
                            struct sl_log *log, struct sl_error *err);

/* Compiles CUDA programs with Clang: kernels to PTX, host code to an object that embeds it. Both passes run at the same
 * time. Links with the runtime library. */

enum sl_cuda_language { SL_CUDA_CU, SL_CUDA_C, SL_CUDA_CXX, SL_CUDA_LINKED };

enum sl_cuda_goal {
  SL_CUDA_PROGRAM, /* or a shared library */
  SL_CUDA_OBJECT,
  SL_CUDA_PTX,
  SL_CUDA_PREPROCESSED, /* -E */
  SL_CUDA_DEPENDENCIES, /* -M, -MM */
  SL_CUDA_ARCHIVE,      /* -lib */
  SL_CUDA_DEVICE_LINK,  /* -dlink: an empty object, since modules are linked when they are loaded */
};

struct sl_cuda_input {
  const char *word; /* a file, or a linker option */
  enum sl_cuda_language language;
};

struct sl_cuda_order {
  const struct sl_cuda_input *inputs;
  size_t input_count;
  enum sl_cuda_goal goal;
  const char *output; /* NULL: from the file's name, a.out for a program */
  const char *suffix; /* of PTX; NULL: .ptx */
  const char *root;   /* the tree with include/, lib64/ and the device library */
  struct sl_words both, host, device, link;
  const char *standard; /* the -std= flag of .cu files */
  uint64_t registers;   /* most registers per thread; 0: no bound */
  bool separate;        /* -rdc: other files may define what a file declares */
  bool fast_math, plain, lines, shared;
  bool checkable; /* accesses stay where the source has them */
};

/* SL_USAGE: a tool is missing. SL_CHECK_FAILED: the sources are wrong. The log has the tools' messages. */
enum sl_status sl_compile_cuda(const struct sl_cuda_order *order, struct sl_tools *tools, struct sl_error *err);

/* CUDA sources before they are compiled, and their PTX afterwards. */

/* Joins the brackets of launches that a formatter separated, `k << <g, b>> >(a)`. Clang reads them only as <<< and
 * >>>. The text keeps its length and lines. Returns whether it changed. */
bool sl_cuda_join_launches(char *text, size_t length);

/* Doubles the percent sign before names in the templates of asm statements with operands: "mov.u32 %0, %laneid;". nvcc
 * takes such a name as it is, Clang reads it as an operand. Returns whether it has replaced the text. */
bool sl_cuda_escape_asm(char **text, size_t *length);

/* Reads a file; the text ends with a NUL byte. The caller frees it. NULL with an error: it cannot be read. */
char *sl_cuda_read(const char *path, size_t *length, struct sl_error *err);

/* The image that a host object embeds: the magic, the text's length and the flags as little-endian words of 64 bits,
 * the text, a NUL byte. Flags: bits 0 to 15 are the most registers per thread, 0 for no bound; SL_CUDA_SEPARATE: the
 * runtime links the text with the others of this kind. */
#define SL_CUDA_MAGIC "SIMTPTX1"
enum { SL_CUDA_HEADER = 24, SL_CUDA_SEPARATE = 1 << 16 };
void sl_cuda_image_header(unsigned char header[SL_CUDA_HEADER], uint64_t length, uint64_t flags);

/* Changes of LLVM's representation, before any optimisation, for kernels that the checker runs.
 *
 * Stores at the ends of two branches must not become one store behind them: then the branches join before the end of
 * the kernel, and a barrier in one of them looks like one that lanes of the other must reach. An access to an array in
 * a thread's local memory must not disappear if it is outside of the array. */

enum { SL_OUTSIDE_ARRAY = 0x1000000 /* above all local memory: where an access is that is outside of its array */ };

/* Returns a copy of the text with the changes, which the caller frees; NULL: out of memory. */
char *sl_keep_accesses(const char *ir, size_t *length);

/* Device code of a linked CUDA program. The files that are compiled separately (-rdc=true, -dc) become one module when
 * the program runs, so what none of them defines is known when it is linked. */

/* Fails with the name of the first function that the PTX calls but does not define, apart from kernel services. */
enum sl_status sl_cuda_check_defined(const char *source, const char *ptx, struct sl_error *err);

/* Fails with the name of the first device function or variable that a file of the program or shared library declares,
 * and none defines. `name`: the program's in the sentence. */
enum sl_status sl_cuda_check_linked(const char *path, const char *name, struct sl_error *err);

#endif
