/* A debugger's stub for launch scripts of PTX, and for host programs that launch kernels of PTX: stock gdb stops at
 * kernels, lines and instructions of PTX, by the symbols of ptx_symbols.h (docs/how-to/debugging.md).
 *
 * The stub is an observer of the run. It hears of each executed instruction, and when a warp is about to execute one at
 * which gdb wants to stop, it serves gdb before it returns. To go back, it ends the run, and the caller plays the
 * script or executes the launch again (debug/ptx/ptx_replay.h). Threads are the lanes of the block that has stopped:
 * lane l of warp w is thread 2
 * + 32 * w + l, where w is the number in events. */
#ifndef SL_DEBUG_PTX_STUB_H
#define SL_DEBUG_PTX_STUB_H

#include "debug/ptx/ptx_replay.h"
#include "debug/remote.h"
#include "device/script.h"

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

#endif
