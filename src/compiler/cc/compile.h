/* Compiles C, C++ and assembly files to objects or a program, with the stock cross-compilers and runtime/. A program
 * includes the target's start code and library. */
#ifndef SL_TOOLCHAIN_COMPILE_H
#define SL_TOOLCHAIN_COMPILE_H

#include "compiler/cc/compile_order.h"
#include "compiler/cc/tools.h"

/* SL_USAGE: the order is invalid, a tool is missing, or a tool failed; the log has the tools' messages. */
enum sl_status sl_compile(const struct sl_compile_order *order, struct sl_tools *tools, struct sl_error *err);

/* Passes the flags' query (--version, -dumpmachine, -print-..., -Wl,--version) to the C compiler or the linker; the
 * answer goes to the standard output. */
enum sl_status sl_ask_compiler(const struct sl_compile_order *order, struct sl_tools *tools, struct sl_error *err);

#endif
