/* A debugger's stub for launch scripts of PTX: stock gdb stops at kernels, lines and instructions of PTX, by the
 * symbols of ptx_symbols.h (docs/how-to/debugging.md).
 *
 * The stub is an observer of the run. It hears of each executed instruction, and when a warp is about to execute one at
 * which gdb wants to stop, it serves gdb before it returns. So the run only goes forwards. Threads are the lanes of the
 * blocks whose warps have stopped: lane l of warp w is thread 2 + 32 * w + l, where w is the number in events. */
#ifndef SL_DEBUG_PTX_STUB_H
#define SL_DEBUG_PTX_STUB_H

#include "debug/packet.h"
#include "base/error.h"
#include "isa/probe.h"

struct sl_ptx_stub;

enum sl_status sl_ptx_stub_open(struct sl_ptx_stub **stub, int in, int out, struct sl_error *err);

/* The observer; it must outlive the run. */
struct sl_probes *sl_ptx_stub_probes(struct sl_ptx_stub *stub);

/* Tells gdb how the run has ended. Returns whether gdb has ended it. */
bool sl_ptx_stub_end(struct sl_ptx_stub *stub, enum sl_status code, const char *text);
void sl_ptx_stub_close(struct sl_ptx_stub *stub);

#endif
