/* Memory that the threads of a grid share: the global heap, and the variables of modules in global and constant memory.
 *
 * Global addresses: module variables start at SL_PTX_STATIC_BASE; buffers ascend from SL_PTX_HEAP_BASE in the order of
 * allocation, each at a multiple of 256 bytes. Generic addresses of constant, shared and local memory are in separate
 * windows. Each region reserves all its addresses on the host when it is first used. The host's kernel provides a page
 * of zeros when a page is first touched, so an allocation takes no time and contents never move. */
#ifndef SL_PTX_RUN_PTX_MEMORY_H
#define SL_PTX_RUN_PTX_MEMORY_H

#include "base/schema.h"
#include "mem/allocator.h"
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
  uint64_t room; /* bytes that are reserved at `data` */
};

/* Which texel f32 coordinates outside of a texture name: the last one; the texture repeats; it repeats mirrored; none,
 * which reads as 0. */
enum sl_ptx_texture_mode { SL_PTX_TEXTURE_CLAMP, SL_PTX_TEXTURE_WRAP, SL_PTX_TEXTURE_MIRROR, SL_PTX_TEXTURE_BORDER };

/* A texture in global memory, row by row. Its handle is its number in the memory's list plus 1, or the address of the
 * .texref variable to which it is bound. */
struct sl_ptx_texture {
  uint64_t variable; /* 0: none */
  uint64_t address;
  uint32_t width, height, depth; /* texels */
  uint64_t pitch;                /* bytes from a row to the next; 0: rows follow each other */
  enum sl_ptx_type type;         /* of a channel */
  uint8_t channels;
  bool normalised;             /* integers are read as 0 to 1, or -1 to 1 */
  bool linear;                 /* fetches combine the nearest texels, instead of taking the nearest */
  bool normalised_coordinates; /* f32 coordinates go from 0 to 1 */
  bool layered;                /* but the third one is a layer and not normalised */
  enum sl_ptx_texture_mode mode[3];
};

struct sl_ptx_memory {
  struct sl_ptx_region heap, statics, constants;
  struct sl_allocator buffers;
  struct sl_ptx_texture *textures;
  unsigned texture_count;
  bool checked; /* each access of a kernel must be in one buffer or one variable */
  /* Variables of all modules in global memory, by address. */
  struct sl_range *variables;
  size_t variable_count;
};

/* Creates a memory with a module's variables (NULL: none) at their initial values. */
enum sl_status sl_ptx_memory_init(struct sl_ptx_memory *m, const struct sl_ptx_module *module, struct sl_error *err);
void sl_ptx_memory_free(struct sl_ptx_memory *m);

/* The options with which a further module must be parsed, so that its variables follow those of earlier modules. */
struct sl_ptx_options sl_ptx_memory_options(const struct sl_ptx_memory *m, bool unfused);

/* Adds the variables of that module at their initial values. */
enum sl_status sl_ptx_memory_add(struct sl_ptx_memory *m, const struct sl_ptx_module *module, struct sl_error *err);

/* Allocates zeroed bytes; returns their address. A buffer of 0 bytes has an address but no contents. */
enum sl_status sl_ptx_memory_allocate(struct sl_ptx_memory *m, uint64_t bytes, uint64_t *address, struct sl_error *err);

/* The same at a given address. SL_USAGE: the place is not free. */
enum sl_status sl_ptx_memory_place(struct sl_ptx_memory *m, uint64_t address, uint64_t bytes, struct sl_error *err);

/* Frees the buffer at an address and gives its pages back to the host. SL_USAGE: no buffer begins there. */
enum sl_status sl_ptx_memory_release(struct sl_ptx_memory *m, uint64_t address, struct sl_error *err);

/* The texture of a handle; NULL if there is none. */
const struct sl_ptx_texture *sl_ptx_memory_texture(const struct sl_ptx_memory *m, uint64_t handle);

/* Creates a texture without a variable, in a place that is free; drops it. */
enum sl_status sl_ptx_memory_texture_create(struct sl_ptx_memory *m, const struct sl_ptx_texture *texture,
                                            uint64_t *handle, struct sl_error *err);
void sl_ptx_memory_texture_drop(struct sl_ptx_memory *m, uint64_t handle);

/* Creates a texture and stores its handle in the variable at a global address. It replaces the one that the variable
 * had. */
enum sl_status sl_ptx_memory_bind(struct sl_ptx_memory *m, uint64_t variable, const struct sl_ptx_texture *texture,
                                  struct sl_error *err);

/* Host pointer to `bytes` bytes at a global address; NULL if they are not all in memory. */
uint8_t *sl_ptx_memory_at(const struct sl_ptx_memory *m, uint64_t address, uint64_t bytes);

/* The lanes, of those in a mask, whose access of `bytes` bytes at a global address is not all in one buffer or
 * variable.
 */
uint32_t sl_ptx_memory_strays(const struct sl_ptx_memory *m, const uint64_t *address, uint32_t lanes, uint64_t bytes);

/* The same at a generic address of global or constant memory. */
const uint8_t *sl_ptx_memory_generic(const struct sl_ptx_memory *m, uint64_t address, uint64_t bytes);

/* Checkpoints: a region's contents, without its pages of zeros. A restore needs the same size. */
void sl_ptx_region_archive(struct sl_archive *archive, const struct sl_ptx_region *region);

/* The buffers, and the contents of all memory; not textures. It is restored into a new memory with the same modules.
 * After a bad archive the memory can only be freed. */
void sl_ptx_memory_archive(struct sl_archive *archive, struct sl_ptx_memory *memory);

#endif
