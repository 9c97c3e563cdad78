/* What is to be compiled, for which machine, how far: and whether that can be done. */
#ifndef SL_TOOLCHAIN_COMPILE_ORDER_H
#define SL_TOOLCHAIN_COMPILE_ORDER_H

#include "base/error.h"
#include "base/types.h"
#include "toolchain/wide_options.h"

#include <stddef.h>

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
  SL_INPUT_LINKED, /* an object, an archive, an option of the linker that keeps its place among them */
};

struct sl_input {
  const char *word;     /* a file, "-" for the standard input, or an option of the linker */
  const char *language; /* as -x names it; NULL: by the file's suffix */
  bool of_linker;       /* an option, not a file */
};

struct sl_compile_order {
  const struct sl_input *inputs;
  size_t input_count;
  enum sl_goal goal;
  const char *output;          /* NULL: by the file's name, for a program an error */
  const char *runtime;         /* the folder of start code and library */
  const char *const *flags;    /* of the compiler, NULL-terminated; NULL: none */
  bool vortex;                 /* for Vortex, else for SIMTight and Simty */
  bool grid;                   /* for SM7, whose hardware deals the blocks */
  bool wide;                   /* with it: in 64-bit instruction words */
  struct sl_wide_options code; /* of those: how functions are compiled for them */
  bool ptx;                    /* kernels in CUDA, to PTX */
  bool fp;                     /* float instructions (Zfinx), compiled by Clang */
  bool rv32e;                  /* 16 registers */
  bool clang;                  /* C and C++ by Clang */
  bool no_marks;               /* no convergence marks */
  bool auto_marks;             /* C and C++ by Clang, with convergence marks by the marks tool */
  const char *marks_tool;      /* where simtlab-marks is; NULL: on the path */
  bool cfm, dmsl;              /* Vortex's loops and streams in hardware */
  bool no_start;               /* link no start code (-nostartfiles) */
  bool no_libraries;           /* link neither kernel library nor C library (-nodefaultlibs) */
  bool own_script;             /* the linker script is among the inputs (-T) */
  bool relocatable;            /* what is linked becomes an object again (-r), without start code and libraries */
};

enum sl_input_kind sl_input_kind(const struct sl_input *input);
bool sl_is_source_kind(enum sl_input_kind kind);

/* The last of the compiler's flags that begins so, NULL when there is none. */
const char *sl_last_flag(const struct sl_compile_order *order, const char *prefix);
bool sl_has_flag(const struct sl_compile_order *order, const char *flag);

/* Whether what is asked of the target goes together; the order, with its files, too. */
enum sl_status sl_compile_target_check(const struct sl_compile_order *order, struct sl_error *err);
enum sl_status sl_compile_order_check(const struct sl_compile_order *order, struct sl_error *err);

#endif
