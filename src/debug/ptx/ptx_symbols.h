/* Modules of PTX for gdb, which knows no PTX: an ELF file of RISC-V with DWARF, in which each instruction takes 4
 * bytes. Modules follow each other in the order of loading. The file has functions and lines, of .loc or else of the
 * PTX text, and no code, types or variables. Source: ELF (System V ABI), DWARF 4. */
#ifndef SL_DEBUG_PTX_SYMBOLS_H
#define SL_DEBUG_PTX_SYMBOLS_H

#include "base/error.h"
#include "ptx/ptx.h"

/* The address of the first module's first instruction for gdb. */
enum { SL_PTX_CODE = 0x1000000, SL_PTX_CODE_STEP = 4 };

/* The stack that gdb sees ends here, where PTX has no memory; a frame's bytes. */
enum { SL_PTX_STACK_END = 0x800000, SL_PTX_FRAME = 16, SL_PTX_FRAMES = 1 << 16 };

/* The number of an instruction over all modules, and its address. */
static inline uint64_t sl_ptx_code_number(const struct sl_ptx_module *module, uint64_t pc)
{
  return module->options.code + pc;
}

static inline uint64_t sl_ptx_code_address(const struct sl_ptx_module *module, uint64_t pc)
{
  return SL_PTX_CODE + SL_PTX_CODE_STEP * sl_ptx_code_number(module, pc);
}

struct sl_ptx_symbols {
  const struct sl_ptx_module *module;
  const char *name, *file; /* what .file calls a source, and where it is; NULL: all sources are where it says */
};

/* Writes the file for some modules, in the order of loading. SL_USAGE: it cannot be written. */
enum sl_status sl_ptx_symbols_write(const struct sl_ptx_symbols *of, size_t count, const char *path,
                                    struct sl_error *err);

#endif
