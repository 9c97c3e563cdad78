/* Compiles OpenCL C to PTX by Clang, with the device library (runtime/opencl), or to LLVM's representation, which is
 * linked later. Needs no lock. */
#ifndef SL_OPENCL_OCL_COMPILE_H
#define SL_OPENCL_OCL_COMPILE_H

#include "opencl/ocl_code.h"
#include "opencl/ocl_options.h"

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

#endif
