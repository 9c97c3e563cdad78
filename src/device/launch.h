/* Launches without a host program: kernels of any program in a device's memory, started one after another as a host
 * program would, on buffers in device memory.
 *
 * A kernel of runtime/simt.h is launched by grid, block and arguments. The library then does the same as the machine's
 * runtime, bit for bit: it writes the closure with the grid's geometry and the arguments, and starts as many warps per
 * block. SIMTight and Simty behave in the same way in the same cycles as with the host program. A Vortex program is
 * entered at its start, which sets up its threads and then runs the kernel instead of main. Its variables keep their
 * values.
 *
 * Any other entry is launched with the address of its closure and the number of warps per block. */
#ifndef SL_GPU_LAUNCH_H
#define SL_GPU_LAUNCH_H

#include "device/device.h"
#include "mem/allocator.h"

/* Allocate a zeroed buffer in device memory, the second one at a given address. SL_USAGE: there is no room. */
enum sl_status sl_device_alloc(struct sl_device *device, uint64_t size, uint32_t *address, struct sl_error *err);
enum sl_status sl_device_place_buffer(struct sl_device *device, uint32_t address, uint64_t size, struct sl_error *err);
enum sl_status sl_device_release(struct sl_device *device, uint32_t address, struct sl_error *err);

/* Notifies the observer that the host, a copy or a launch has written these bytes. */
void sl_device_tell_written(struct sl_device *device, uint32_t address, size_t size);

/* Whether a program has been added or loaded. */
bool sl_device_has(const struct sl_device *device, const struct sl_program *program);

/* The buffer that contains an address, or NULL. */
const struct sl_range *sl_device_buffer_at(const struct sl_device *device, uint64_t address);

struct sl_launch_order {
  const struct sl_program *program; /* the kernel's program; NULL: the first added program with such a kernel */
  const char *kernel;               /* its name; NULL: start at `entry` */
  uint32_t entry;
  uint32_t grid[3], block[3]; /* blocks of the grid, threads of a block; a second or third dimension of 0 counts as 1 */
  uint32_t shared;            /* bytes of shared memory per block; 0: the resident blocks divide all of it */
  const void *arguments;      /* a C struct of the kernel's parameters */
  size_t argument_bytes;
};

/* SL_USAGE: this machine cannot execute the order. */
enum sl_status sl_device_check_order(const struct sl_device *device, const struct sl_launch_order *order,
                                     struct sl_error *err);

/* Starts a kernel. The order is checked as by sl_device_check_order. */
enum sl_status sl_device_start_kernel(struct sl_device *device, const struct sl_launch_order *order,
                                      struct sl_error *err);

/* Starts the code at an address. */
enum sl_status sl_device_start_entry(struct sl_device *device, uint32_t entry, uint32_t closure,
                                     uint32_t warps_per_block, struct sl_error *err);

/* Simulates the started launch for at most `cycles` cycles, or to its end. SL_OK: it has succeeded; SL_CHECK_FAILED: it
 * has failed. SL_PAUSED: call again. SL_FAULT, SL_LIMIT: it is aborted, and the device accepts the next launch. */
enum sl_status sl_device_wait_for(struct sl_device *device, uint64_t cycles, struct sl_error *err);
enum sl_status sl_device_wait(struct sl_device *device, struct sl_error *err);

/* For a debugger: simulates the launch for at most `cycles` cycles, or starts it if that is 0. The launch does not end:
 * after SL_OK or a fault, the caller takes the device back (device/checkpoint.h) before it waits for the launch. */
enum sl_status sl_device_run_launch(struct sl_device *device, uint64_t cycles, struct sl_error *err);

/* Removes the launches so far from the result; launches are numbered from 0 again. No launch may be running. */
void sl_device_forget_launches(struct sl_device *device);

/* Whether a launch has been started and has not ended. */
bool sl_device_under_way(const struct sl_device *device);

/* Abandons a launch that has not ended; memory keeps its contents. */
void sl_device_abandon(struct sl_device *device);

/* Describes the latest launch's entry, "kernel (file.c:12)", in text. */
void sl_device_last_kernel(const struct sl_device *device, char *text, size_t size);

/* The fault that ended the latest launch; kind SL_FAULT_NONE if there was none. */
struct sl_fault sl_device_last_fault(const struct sl_device *device);

#endif
