/* Services of a host runtime for kernels: printf, malloc and free (ptx/run/ptx_service.h).
 *
 * A kernel's printf puts text into a buffer, which the host prints after the launch, in the order of the calls. What
 * does not fit is dropped and counted. A kernel's malloc takes from a heap, a buffer of the GPU; a block has a power of
 * two of bytes, at least 16.
 * Source: CUDA C Programming Guide, "Formatted Output" and "Dynamic Global Memory Allocation". */
#ifndef SL_HOST_HOST_SERVICES_H
#define SL_HOST_HOST_SERVICES_H

#include "ptx/run/ptx_service.h"

enum { SL_HOST_CLASSES = 48 }; /* sizes of blocks */

/* Addresses of free blocks of one size. */
struct sl_host_free {
  uint64_t *address;
  size_t count, room;
};

struct sl_host_services {
  struct sl_ptx_services services; /* for the options of a GPU */
  char *text;                      /* printed in this launch */
  size_t used, room;
  uint64_t dropped;    /* calls of printf that found no room */
  bool constant_texts; /* formats and texts are addresses in constant memory, as in OpenCL C */
  uint64_t first, end; /* of the heap; equal: none */
  uint64_t next;       /* begin of the part that was never used */
  uint8_t *class_at;   /* of the block that begins at a unit of the heap, plus 1; 0: none does */
  struct sl_host_free free[SL_HOST_CLASSES];
};

/* `room`: bytes that a launch can print. */
void sl_host_services_init(struct sl_host_services *services, size_t room);
void sl_host_services_free(struct sl_host_services *services);

/* Gives kernels a heap of `bytes` bytes at an address. */
enum sl_status sl_host_services_heap(struct sl_host_services *services, uint64_t first, uint64_t bytes,
                                     struct sl_error *err);

/* Saves and restores what the kernels of a launch have printed and allocated so far. */
struct sl_archive;
void sl_host_services_archive(struct sl_host_services *services, struct sl_archive *archive);

/* Formats a text as printf does, with arguments that `read` copies from a packed list. Appends it at `to`, which has
 * room for `size` bytes; returns the length that the text has or would have. A string is read by `read_text`. */
struct sl_host_arguments {
  void *context;
  bool (*read)(void *context, uint64_t offset, void *to, size_t bytes);
  bool (*read_text)(void *context, uint64_t address, uint64_t offset, char *to);
};
size_t sl_host_format(const char *format, const struct sl_host_arguments *arguments, char *to, size_t size);

#endif
