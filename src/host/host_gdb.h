/* gdb on the kernels of a host program: option GDB, a folder for the symbols that gdb needs. At the first launch the
 * program waits for gdb. The host program itself cannot go back: the history of a launch begins with it.
 *
 * Kernels of PTX have the stub of debug/ptx/, which executes parts of a launch again; gdb has the symbols of all
 * modules. Those of machine code have the stub of debug/debug.h, which goes through a launch before the GPU does; gdb
 * has the symbols of the first launch's module. */
#ifndef SL_HOST_HOST_GDB_H
#define SL_HOST_HOST_GDB_H

#include "host/host_device.h"
#include "isa/probe.h"

/* All without effect on a device without the option. SL_USAGE: another option needs the observer, or the folder cannot
 * be made. */
enum sl_status sl_host_gdb_open(struct sl_host_device *device, struct sl_error *err);

/* What the GPU's options need: the observer, checkpoints, and who has launches executed again; without effect if gdb is
 * not wanted. */
void sl_host_gdb_options(struct sl_host_device *device, struct sl_gpu_options *options);

/* Writes a module's text, before it is loaded. Returns the name to load it by: its file. */
const char *sl_host_gdb_name(struct sl_host_device *device, const char *name, const struct sl_host_code *code);

/* A launch begins: at the first one, waits for gdb. It has ended: tells gdb of a fault, or ends the program if gdb has
 * killed it. */
void sl_host_gdb_begin(struct sl_host_device *device, const struct sl_gpu_module *module);
void sl_host_gdb_end(struct sl_host_device *device, const struct sl_error *outcome);

/* Tells gdb that the program has ended. */
void sl_host_gdb_close(struct sl_host_device *device);

#endif
