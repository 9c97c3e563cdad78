/* Compiles OpenCL C to PTX by Clang, with the device library (runtime/opencl), or to LLVM's representation, which is
 * linked later. Needs no lock. */
#ifndef SL_OPENCL_OCL_COMPILE_H
#define SL_OPENCL_OCL_COMPILE_H

#include "compiler/cc/tools.h"
#include "runtime/opencl/ocl.h"

/* Build options of OpenCL C as options of Clang. */
struct ocl_options {
  struct sl_words flags; /* of Clang */
  const char *family;    /* of machines with RISC-V instructions (ocl_riscv.h); NULL: PTX */
  bool no_float;         /* these machines have no floating-point unit */
  bool optimised;
  bool library, strict; /* -create-library, -enable-link-options; warnings are errors */
};

/* Reads a text of options. `linker`: those of clLinkProgram are allowed, too. Options without effect are named in the
 * log. SL_USAGE: an option is wrong; the log says which. */
enum sl_status sl_ocl_options_read(struct ocl_options *options, const char *text, bool linker, struct sl_log *log);
void sl_ocl_options_free(struct ocl_options *options);

/* ---- compilation ------------------------------------------------------------------------------------------------- */

struct ocl_header {
  const char *name, *text;
};

/* A sentence if a tool or the device library is missing for a family of machines (NULL: PTX); NULL: all are there. */
const char *sl_ocl_compiler_missing(const char *family);

/* The path of the device library, or of another file in its folder. False: it is not there. */
bool sl_ocl_find_library(char *path, size_t size);
bool sl_ocl_find_file(const char *name, char *path, size_t size);

/* Runs a tool, whose output goes into the log. SL_CHECK_FAILED: it refused its input. SL_USAGE: it cannot be run, as a
 * sentence in the log says. */
enum sl_status sl_ocl_run_tool(struct sl_words *words, struct sl_log *log);
void sl_ocl_log(struct sl_log *log, const char *sentence);

/* The contents of a file in a folder, which the caller frees; NULL: it cannot be read. */
char *sl_ocl_read_file(const char *folder, const char *name, size_t *length);

/* Compiles a source. `object`: to be linked. The log gets the compiler's messages. SL_CHECK_FAILED: the source is
 * wrong. SL_USAGE: a tool failed. */
enum sl_status sl_ocl_compile(const char *source, const struct ocl_options *options, bool object,
                              const struct ocl_header *headers, size_t header_count, struct ocl_code **code,
                              struct sl_log *log);

/* Links objects and libraries to PTX, or to a library. */
enum sl_status sl_ocl_link(struct ocl_code *const *objects, size_t count, const struct ocl_options *options,
                           struct ocl_code **code, struct sl_log *log);

/* ---- the compile cache (ocl_cache.c) ----------------------------------------------------------------------------- */

/* A folder with a file for each compilation, named by the hash of everything that it depends on but
 * included files, whose hashes the file lists. Files appear whole. A file that is damaged or outdated counts as absent.
 *
 * The folder is $SIMTLAB_OPENCL_CACHE (0: no cache), else $XDG_CACHE_HOME/simtlab/opencl, else ~/.cache/simtlab/opencl.
 * When it exceeds 256 MiB, the files that were not used for longest are removed. */

struct ocl_cache_key {
  bool usable;
  char path[4096];
};

struct ocl_cache_key sl_ocl_cache_key(const char *source, const struct ocl_options *options, bool object,
                                      const struct ocl_header *headers, size_t header_count);

/* NULL: not there. The log gets the messages of the compilation. */
struct ocl_code *sl_ocl_cache_find(const struct ocl_cache_key *key, struct sl_log *log);

/* `depends`: included files, as Clang's -MD lists them; NULL: none. Those in `folder` are part of the key. */
void sl_ocl_cache_store(const struct ocl_cache_key *key, const struct ocl_code *code, const struct sl_log *log,
                        const char *depends, const char *folder);

/* ---- LLVM's representation (ocl_ir.c) ---------------------------------------------------------------------------- */

/* Changes k.ll in the folder, before PTX is made of it. PTX cannot call kernels, and llc-19 passes a vector of two
 * bytes as two words of 16 bits: such calls are inlined, and such parameters of kernels become one word. Calls of
 * printf become those of the simulator's service. */
enum sl_status sl_ocl_ir_edit(const char *folder, struct sl_log *log);

/* What LLVM's representation of a program says about its kernels, as lines of text:
 *
 *   K <tab> name <tab> x <tab> y <tab> z <tab> attributes
 *   A <tab> address space <tab> access <tab> qualifiers <tab> type <tab> base type <tab> name
 *
 * A kernel is followed by its arguments. Address spaces are those of SPIR: 0 private, 1 global, 2 constant, 3 local. */
void sl_ocl_metadata(const char *ir, struct sl_log *lines);

#endif
