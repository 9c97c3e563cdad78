/* Launches without a host program: kernels of any program in a device's memory, started as its host program would have
 * done, one after another, on buffers in device memory.
 *
 * A kernel of runtime/simt.h is launched by grid, block and arguments. What the runtime of the machine does then is
 * done here, bit for bit: the closure with the grid's geometry and the arguments, as many warps per block. On SIMTight
 * and Simty the multiprocessor does the same in the same cycles as for the host program. A Vortex program is entered at
 * its start, which sets up its threads and then runs the kernel instead of main; its variables keep their values.
 *
 * Any other entry is launched with the address it finds as its closure and the warps of a block. */
#ifndef SL_GPU_LAUNCH_H
#define SL_GPU_LAUNCH_H

#include "gpu/device.h"

/* A buffer of zeros in device memory. SL_USAGE when there is no room. */
enum sl_status sl_device_alloc(struct sl_device *device, uint64_t size, uint32_t *address, struct sl_error *err);
enum sl_status sl_device_release(struct sl_device *device, uint32_t address, struct sl_error *err);

/* The size of the buffer that begins at an address, 0 when none does. */
uint64_t sl_device_buffer_size(const struct sl_device *device, uint32_t address);

struct sl_launch_order {
  const struct sl_program
      *program;       /* where the name is looked up; NULL: in the programs in the order they were added */
  const char *kernel; /* its name, or NULL: `entry` */
  uint32_t entry;
  uint32_t grid[3], block[3]; /* blocks, threads of a block; 0 in the second and third dimension counts as 1 */
  uint32_t shared;            /* bytes of shared memory of a block; 0: the resident blocks divide all there is */
  const void *arguments;      /* as a C struct of the parameters has them */
  size_t argument_bytes;
};

/* SL_USAGE: the order cannot be carried out on this machine. */
enum sl_status sl_device_check_order(const struct sl_device *device, const struct sl_launch_order *order,
                                     struct sl_error *err);

/* Starts a kernel; the order is checked as above. */
enum sl_status sl_device_start_kernel(struct sl_device *device, const struct sl_launch_order *order,
                                      struct sl_error *err);

/* Starts whatever is at an address. */
enum sl_status sl_device_start_entry(struct sl_device *device, uint32_t entry, uint32_t closure,
                                     uint32_t warps_per_block, struct sl_error *err);

/* Simulates what was started for so many cycles, or to its end. SL_OK: it has ended with success, SL_CHECK_FAILED: with
 * failure. SL_PAUSED: call again. SL_FAULT, SL_LIMIT: it is over; the device takes the next launch. */
enum sl_status sl_device_wait_for(struct sl_device *device, uint64_t cycles, struct sl_error *err);
enum sl_status sl_device_wait(struct sl_device *device, struct sl_error *err);

/* Gives up what was started and has not ended; memory stays as it is. */
void sl_device_abandon(struct sl_device *device);

/* What the latest launch was of, "kernel (file.c:12)", into text. */
void sl_device_last_kernel(const struct sl_device *device, char *text, size_t size);

/* The fault that ended the latest launch; kind SL_FAULT_NONE when none did. */
struct sl_fault sl_device_last_fault(const struct sl_device *device);

#endif
