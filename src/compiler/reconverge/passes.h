/* Interface to LLVM: reads the module, runs passes, writes the object. Each function reports errors on standard
 * error. */
#ifndef SL_MARKS_PASSES_H
#define SL_MARKS_PASSES_H

#include "compiler/reconverge/tool.h"

/* Opens the compiler's bitcode, for the target that it was compiled for. */
bool sl_open_module(struct sl_tool *tool, const char *path);
void sl_close_module(struct sl_tool *tool);

/* Runs passes, by their names, on all functions, or on the listed functions for which `chosen` holds. */
bool sl_run_passes(const struct sl_tool *tool, const char *passes);
bool sl_run_passes_on(const struct sl_tool *tool, const char *passes, const struct sl_lane_function *functions,
                      size_t count, bool (*chosen)(const struct sl_lane_function *));

enum sl_marks_output { SL_MARKS_OBJECT, SL_MARKS_ASSEMBLY, SL_MARKS_BITCODE };

/* Code generation from the bitcode elsewhere must use the code generation options of passes.c, too. */
bool sl_write_code(const struct sl_tool *tool, const char *path, enum sl_marks_output output);

#endif
