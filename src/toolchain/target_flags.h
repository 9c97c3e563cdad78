/* The words that compilers and linker take for a target, whatever is compiled: code that the machine can run, in which
 * the marks stay where they are. */
#ifndef SL_TOOLCHAIN_TARGET_FLAGS_H
#define SL_TOOLCHAIN_TARGET_FLAGS_H

#include "toolchain/compile_order.h"
#include "toolchain/word_list.h"

#define SL_GCC "riscv64-unknown-elf-gcc"
#define SL_CLANG "clang-19"

/* Flags of a compiler for a kind of source, without its name. */
void sl_add_compile_flags(const struct sl_compile_order *order, struct sl_words *words, enum sl_input_kind kind,
                          bool clang);

/* Those of them that Clang needs for C, C++ and assembly alike. */
void sl_add_clang_flags(const struct sl_compile_order *order, struct sl_words *words);

/* -march= and -mabi= by which libraries are looked for. */
void sl_add_library_variant(const struct sl_compile_order *order, struct sl_words *words);

/* In front of what is linked, and behind it. */
void sl_add_link_flags(const struct sl_compile_order *order, struct sl_words *words);
void sl_add_libraries(const struct sl_compile_order *order, struct sl_words *words);

/* Files of the runtime. */
#define SL_CXX_LIBRARY "simt_cxx.cc"
#define SL_PRINT_LIBRARY "simt_print.c" /* of programs whose kernels print */
const char *sl_target_start(const struct sl_compile_order *order);
const char *sl_target_library(const struct sl_compile_order *order);

#endif
