/* LLVM's own part: reading the module, its passes, writing the object. Each says on standard error what went wrong. */
#ifndef SL_MARKS_PASSES_H
#define SL_MARKS_PASSES_H

#include "marks/tool.h"

/* Opens what the compiler has written, for the target it was compiled for. */
bool sl_open_module(struct sl_tool *tool, const char *path);
void sl_close_module(struct sl_tool *tool);

/* Runs passes, by their names, on all functions, or on those of the list for which `chosen` holds. */
bool sl_run_passes(const struct sl_tool *tool, const char *passes);
bool sl_run_passes_on(const struct sl_tool *tool, const char *passes, const struct sl_lane_function *functions,
                      size_t count, bool (*chosen)(const struct sl_lane_function *));

enum sl_marks_output { SL_MARKS_OBJECT, SL_MARKS_ASSEMBLY, SL_MARKS_BITCODE };

/* Whoever generates code from the bitcode needs the options of code generation that are in passes.c, too. */
bool sl_write_code(const struct sl_tool *tool, const char *path, enum sl_marks_output output);

#endif
