/* Flags of compilers and linker for a target, for any source: they produce code that the machine can run and keep the
 * annotations in place. */
#ifndef SL_TOOLCHAIN_TARGET_FLAGS_H
#define SL_TOOLCHAIN_TARGET_FLAGS_H

#include "compiler/cc/compile.h"
#include "compiler/cc/wide_options.h"

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

#endif
