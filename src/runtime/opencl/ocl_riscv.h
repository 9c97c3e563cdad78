/* Devices that are machines with RISC-V instructions: their families, how programs are compiled for them by
 * simtlab-clc, and what the host writes before a kernel's arguments (runtime/opencl/riscv.h). */
#ifndef SL_OPENCL_OCL_RISCV_H
#define SL_OPENCL_OCL_RISCV_H

#include "runtime/opencl/ocl.h"
#include "runtime/opencl/ocl_compile.h"

enum { OCL_BARRIER_BYTES = 16 /* of local memory, for barriers of groups that do not fill their warps */ };

struct simtlab_riscv_range {
  uint32_t dimensions, count, items, warps, separate, partial;
  uint32_t offset[3], local_size[3], groups[3];
  uint32_t print;
};

/* Checks that programs can be compiled for the machine, and fits the facts to OpenCL. */
enum sl_status sl_ocl_riscv_open(cl_device_id device, struct sl_error *err);

/* Whether one program serves both devices. */
bool sl_ocl_riscv_same(cl_device_id a, cl_device_id b);

/* Adds the device's family to options of a compilation. */
void sl_ocl_riscv_options(cl_device_id device, struct ocl_options *options);

/* The path of simtlab-clc: beside this library, in a build folder or an installation; else from PATH. */
void sl_ocl_riscv_compiler(char *path, size_t size);

/* printf: gives the device a buffer; prints what a launch has put there. */
enum sl_status sl_ocl_print_open(cl_device_id device, struct sl_error *err);
void sl_ocl_print_records(cl_device_id device);

/* A sentence if a tool or file is missing; NULL: all are there. */
const char *sl_ocl_riscv_missing(void);

void sl_ocl_riscv_add_target(struct sl_words *words);
void sl_ocl_riscv_add_language(struct sl_words *words);

/* Makes an executable of bitcode in a folder. */
enum sl_status sl_ocl_riscv_finish(const char *folder, const char *bitcode, const struct ocl_options *options,
                                   struct ocl_code **code, struct sl_log *log);

#endif
