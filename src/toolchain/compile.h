/* From C, C++ and assembly files to objects or a program, with the stock cross-compilers and runtime/: start code and
 * library of the target are linked in. */
#ifndef SL_TOOLCHAIN_COMPILE_H
#define SL_TOOLCHAIN_COMPILE_H

#include "toolchain/compile_order.h"
#include "toolchain/tools.h"

/* SL_USAGE: the order cannot be carried out, a tool is missing, or it failed; what the tools said is in the log. */
enum sl_status sl_compile(const struct sl_compile_order *order, struct sl_tools *tools, struct sl_error *err);

/* Asks the compiler that would compile C, or the linker, what the flags ask (--version, -dumpmachine, -print-...,
 * -Wl,--version); the answer goes to the standard output. */
enum sl_status sl_ask_compiler(const struct sl_compile_order *order, struct sl_tools *tools, struct sl_error *err);

#endif
