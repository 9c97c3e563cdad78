/* A debugger's stub for launch scripts of PTX, and for host programs that launch kernels of PTX: stock gdb stops at
 * kernels, lines and instructions of PTX, by the symbols of ptx_stub.h (docs/how-to/debugging.md).
 *
 * The stub is an observer of the run. It hears of each executed instruction, and when a warp is about to execute one at
 * which gdb wants to stop, it serves gdb before it returns. To go back, it ends the run, and the caller plays the
 * script or executes the launch again (debug/ptx/ptx_view.h). Threads are the lanes of the block that has stopped:
 * lane l of warp w is thread 2
 * + 32 * w + l, where w is the number in events. */
#ifndef SL_DEBUG_PTX_STUB_H
#define SL_DEBUG_PTX_STUB_H

#include "base/error.h"
#include "debug/ptx/ptx_view.h"
#include "debug/remote.h"
#include "device/script.h"
#include "ptx/ptx.h"

struct sl_ptx_stub;

/* `fast`: the runs are without timing. `host`: of a host program, whose launches begin by sl_ptx_stub_launch; NULL: a
 * script. */
enum sl_status sl_ptx_stub_open(struct sl_ptx_stub **stub, int in, int out, bool fast,
                                const struct sl_debug_tracer *tracer, const struct sl_ptx_rewind *host,
                                struct sl_error *err);
void sl_ptx_stub_close(struct sl_ptx_stub *stub);

/* The observer; it must outlive the run. */
struct sl_probes *sl_ptx_stub_probes(struct sl_ptx_stub *stub);

/* Before the first step of each run. */
enum sl_status sl_ptx_stub_begin(struct sl_ptx_stub *stub, struct sl_gpu *gpu, struct sl_script_player *player,
                                 struct sl_error *err);

/* A module that gdb has symbols of: its registers are known before it is launched. */
void sl_ptx_stub_module(struct sl_ptx_stub *stub, const struct sl_ptx_module *module);

/* The same, loaded after gdb has connected: gdb reads the symbols from their file when the next launch begins. */
void sl_ptx_stub_library(struct sl_ptx_stub *stub, const struct sl_ptx_module *module, const char *symbols);

/* The bounds' `reached` of each run. */
bool sl_ptx_stub_reached(struct sl_ptx_stub *stub, const struct sl_ptx_under_way *launch, uint64_t now, uint64_t *next);

/* A checksum of the run: whether the user has not seen it yet. */
bool sl_ptx_stub_prints(struct sl_ptx_stub *stub);

/* The host program ends with this status. */
void sl_ptx_stub_exit(struct sl_ptx_stub *stub, int status);

/* A launch of a host program begins. It has ended, has faulted or was stopped: whether it is executed again; then the
 * GPU has been taken back. Its end is final: tells gdb if it has failed. */
void sl_ptx_stub_launch(struct sl_ptx_stub *stub);
bool sl_ptx_stub_again(struct sl_ptx_stub *stub, enum sl_status code, const char *text);
void sl_ptx_stub_launch_end(struct sl_ptx_stub *stub, enum sl_status code, const char *text);

/* Whether gdb has ended the program, or of a script, is gone. */
bool sl_ptx_stub_killed(const struct sl_ptx_stub *stub);

/* Whether a block has begun in any run: before that, gdb has not been served. */
bool sl_ptx_stub_served(const struct sl_ptx_stub *stub);

/* After each run: how it has ended. Returns whether the script is to be played again; else the session is over. */
bool sl_ptx_stub_end(struct sl_ptx_stub *stub, const struct sl_gpu *gpu, enum sl_status code, const char *text);

/* Modules of PTX for gdb, which knows no PTX: an ELF file of RISC-V with DWARF, in which each instruction takes 4
 * bytes. Modules follow each other in the order of loading. The file has functions and lines, of .loc or else of the
 * PTX text, and no code, types or variables. Source: ELF (System V ABI), DWARF 4. */

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
