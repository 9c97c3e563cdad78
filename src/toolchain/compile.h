/* From C and assembly files to a program, with the stock cross-compilers and runtime/: start code and library of the
 * target are linked in. */
#ifndef SL_TOOLCHAIN_COMPILE_H
#define SL_TOOLCHAIN_COMPILE_H

#include "toolchain/tools.h"

enum { SL_COMPILE_FILES = 400 };

struct sl_compile_order {
  const char *const *files; /* C (.c), assembly (.S, .s), objects (.o, .a) */
  size_t file_count;
  const char *output;
  const char *runtime;           /* the folder of start code and library */
  const char *const *flags;      /* of the compiler, NULL-terminated; NULL: none */
  const char *const *link_flags; /* of the linker, likewise */
  bool vortex;                   /* for Vortex, else for SIMTight and Simty */
  bool fp;                       /* float instructions (Zfinx), compiled by Clang */
  bool rv32e;                    /* 16 registers */
  bool clang;                    /* C by Clang */
  bool no_marks;                 /* no convergence marks */
  bool auto_marks;               /* C by Clang, with convergence marks by the marks tool */
  const char *marks_tool;        /* where simtlab-marks is; NULL: on the path */
  bool cfm, dmsl;                /* Vortex's loops and streams in hardware */
  bool verbose;                  /* commands go into the log, too */
};

/* SL_USAGE: the order cannot be carried out, a tool is missing, or it failed; what the tools said is in the log. */
enum sl_status sl_compile(const struct sl_compile_order *order, struct sl_log *log, struct sl_error *err);

#endif
