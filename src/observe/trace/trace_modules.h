/* The code that a trace shows: the modules of the run, and the text and place of each instruction.
 *
 * A program or a launch script has one module. A host program has one for each time that its runtime loads code; their
 * instructions have own numbers, so a pc of module K, from 0, has K in its upper 32 bits. */
#ifndef SL_OBSERVE_TRACE_TRACE_MODULES_H
#define SL_OBSERVE_TRACE_TRACE_MODULES_H

#include "program/program.h"
#include "program/source.h"
#include "ptx/ptx.h"

enum { SL_TRACE_MODULE_SHIFT = 32 };

struct sl_trace_module {
  const struct sl_program *program; /* machine code; NULL: PTX */
  const struct sl_ptx_module *ptx;  /* NULL: machine code, or not known yet */
  char *path;                       /* of PTX */
  struct sl_source text;            /* of PTX */
  char *source_name;                /* the name that `source` has in the code; NULL: there is none */
  struct sl_source source;          /* that the runtime has compiled */
};

struct sl_trace_modules {
  struct sl_trace_module *module;
  size_t count;
};

/* Adds a module whose members it takes over, except program and ptx, which must live as long as the trace. */
enum sl_status sl_trace_modules_add(struct sl_trace_modules *modules, const struct sl_trace_module *module,
                                    struct sl_error *err);
void sl_trace_modules_free(struct sl_trace_modules *modules);

/* Frees the members of a module that none of the modules has taken over. */
void sl_trace_module_free(struct sl_trace_module *module);

/* The module of a pc; NULL: there is none. */
const struct sl_trace_module *sl_trace_module_of(const struct sl_trace_modules *modules, uint64_t pc);

/* The source line of a pc: that of debug information or .loc, else `line` of the PTX. */
struct sl_location sl_trace_locate(const struct sl_trace_modules *modules, uint64_t pc, uint32_t line);

/* The text of a source file that a module has in memory; NULL: it is in a file, if anywhere. */
const struct sl_source *sl_trace_source(const struct sl_trace_module *module, const char *name);

#endif
