/* Memory that the threads of a grid share: the global heap, module variables, and the constant bank.
 *
 * Global addresses: module variables start at SL_PTX_STATIC_BASE; allocations follow each other from SL_PTX_HEAP_BASE,
 * each rounded up to 256 bytes. Generic addresses of shared and local memory are in separate windows below. */
#ifndef SL_PTX_RUN_PTX_MEMORY_H
#define SL_PTX_RUN_PTX_MEMORY_H

#include "ptx/ptx.h"

#define SL_PTX_STATIC_BASE UINT64_C(0x10000000)
#define SL_PTX_CONST_WINDOW UINT64_C(0x80000000)
#define SL_PTX_SHARED_WINDOW UINT64_C(0x90000000)
#define SL_PTX_LOCAL_WINDOW UINT64_C(0xa0000000)
#define SL_PTX_WINDOW_BYTES UINT64_C(0x10000000)
#define SL_PTX_HEAP_BASE UINT64_C(0xc0000000)

/* An address range and its contents. */
struct sl_ptx_region {
  uint64_t base, bytes;
  uint8_t *data;
};

/* A texture in global memory, row by row. Its handle is its number in the memory's list plus 1. */
struct sl_ptx_texture {
  uint64_t address;
  uint32_t width, height;
  enum sl_ptx_type type; /* of a channel */
  uint8_t channels;
  bool normalised; /* integers are read as 0 to 1, or -1 to 1 */
};

struct sl_ptx_memory {
  struct sl_ptx_region heap, statics, constants;
  struct sl_ptx_texture *textures;
  unsigned texture_count;
  uint64_t heap_room; /* bytes that are reserved at heap.data */
};

/* Creates a memory with a module's variables (NULL: none) at their initial values. */
enum sl_status sl_ptx_memory_init(struct sl_ptx_memory *m, const struct sl_ptx_module *module, struct sl_error *err);
void sl_ptx_memory_free(struct sl_ptx_memory *m);

/* Allocates zeroed bytes; returns their address. */
enum sl_status sl_ptx_memory_allocate(struct sl_ptx_memory *m, uint64_t bytes, uint64_t *address, struct sl_error *err);

/* Creates a texture and stores its handle in the variable at a global address. */
enum sl_status sl_ptx_memory_bind(struct sl_ptx_memory *m, uint64_t variable, const struct sl_ptx_texture *texture,
                                  struct sl_error *err);

/* Host pointer to `bytes` bytes at a global address; NULL if they are not all in memory. */
uint8_t *sl_ptx_memory_at(const struct sl_ptx_memory *m, uint64_t address, uint64_t bytes);

#endif
