/* Linker: links units of 64-bit instruction words and archives of RV32 objects to a Vortex program. The program is an
 * ELF file whose header identifies the instruction format (program/program.h), with symbols and source lines.
 *
 * Symbol resolution follows GNU ld: the linker searches archives repeatedly for undefined symbols, keeps the first
 * group of each COMDAT name, and lets strong definitions replace weak and common ones. It drops unreferenced sections.
 * The memory map and its symbols are those of runtime/vortex.ld. */
#ifndef SL_BACKEND_LINK64_H
#define SL_BACKEND_LINK64_H

#include "base/error.h"
#include "base/types.h"
#include "compiler/isa64/object64.h"
#include "compiler/isa64/rv32/rv32_object.h"

struct sl_link64_options {
  const char *entry;          /* NULL: _start */
  uint32_t start;             /* address of the first instruction; 0: 0x80000000 */
  unsigned registers, banks;  /* upper limits of the code's register file */
  const char *const *defsyms; /* "name=symbol" or "name=number"; overrides definitions of the units */
  size_t defsym_count;
  const struct sl_rv32_archive *archives;
  size_t archive_count;
  const char *map; /* path of a map file, or NULL */
  /* Transforms an archive member before it is linked; NULL: no transformation. */
  enum sl_status (*prepare)(void *context, struct sl_object64 *member, struct sl_error *err);
  void *context;
};

/* Writes the program atomically (temporary file, then rename). SL_USAGE: a symbol is undefined or defined twice, the
 * program does not fit, or the file cannot be written. */
enum sl_status sl_link64(const struct sl_link64_options *options, const struct sl_object64 *objects, size_t count,
                         const char *output, struct sl_error *err);

/* State of a link, shared by the files of this folder. */

/* Byte buffer for appending. On a failed allocation it drops the data and records the failure; the caller checks once,
 * at the end. */

struct sl_link_bytes {
  uint8_t *bytes;
  size_t size, capacity;
  bool incomplete;
};

void sl_link_bytes_put(struct sl_link_bytes *to, const void *bytes, size_t size);

/* Appends a number of `size` bytes, little-endian. */
void sl_link_bytes_number(struct sl_link_bytes *to, uint32_t number, unsigned size);

/* Appends the text with the terminating 0. */
void sl_link_bytes_string(struct sl_link_bytes *to, const char *text);

/* Appends zeros up to a multiple of `alignment`. */
void sl_link_bytes_align(struct sl_link_bytes *to, size_t alignment);

void sl_link_bytes_free(struct sl_link_bytes *to);

/* Name table: assigns consecutive numbers to names, from 0. */

struct sl_link_names {
  const char **name; /* owned by the caller */
  size_t count;
  uint32_t *slots; /* number + 1 at the hash, or after it (linear probing) */
  size_t slot_count;
};

enum { SL_LINK_NO_NAME = UINT32_MAX };

/* Returns SL_LINK_NO_NAME if the name is not in the table. */
uint32_t sl_link_names_find(const struct sl_link_names *names, const char *name);

enum sl_status sl_link_names_add(struct sl_link_names *names, const char *name, uint32_t *number, struct sl_error *err);

/* Output sections, in address order. */
enum sl_link_output {
  SL_LINK_TEXT,
  SL_LINK_RODATA,
  SL_LINK_ARRAYS,
  SL_LINK_TDATA,
  SL_LINK_TBSS, /* has no addresses of its own */
  SL_LINK_DATA,
  SL_LINK_BSS,
  SL_LINK_KERNELS, /* not loaded */
  SL_LINK_OUTPUTS
};

struct sl_link_section {
  bool dropped; /* another unit supplies its group */
  bool live;    /* reachable */
  enum sl_link_output output;
  uint32_t address;
};

struct sl_link_unit {
  const struct sl_object64 *object;
  struct sl_object64 *own; /* an archive member: freed with the link */
  struct sl_link_section *sections;
  uint32_t *global; /* per symbol its number among the globals, or SL_LINK_NO_NAME */
};

enum sl_link_kind {
  SL_LINK_UNDEFINED,
  SL_LINK_DEFINED, /* in a unit's section */
  SL_LINK_COMMON,
  SL_LINK_VALUE, /* a number */
  SL_LINK_ALIAS, /* alias of another global */
  SL_LINK_MAP    /* symbol of the memory map; becomes VALUE once the map is known */
};

struct sl_link_global {
  enum sl_link_kind kind;
  uint32_t unit, symbol; /* the definition, or the first use */
  uint32_t value;        /* of ALIAS the target; of COMMON and MAP the address */
  uint32_t size, alignment;
  bool weak;   /* the definition is weak */
  bool wanted; /* has a strong use: archives are searched for it */
  bool fixed;  /* defined by the caller, which overrides definitions of units */
  bool live;
};

/* A section of a unit at its address. */
struct sl_link_piece {
  enum sl_link_output output;
  uint32_t rank; /* order within the output section, before the order of units */
  uint32_t unit, section;
};

struct sl_link_span {
  uint32_t address, size, alignment;
  size_t first, count; /* pieces */
  uint8_t *bytes;      /* NULL: none in the file */
};

struct sl_link {
  const struct sl_link64_options *options;
  struct sl_link_unit *units;
  size_t unit_count;
  struct sl_link_names names;     /* of globals */
  struct sl_link_global *globals; /* by name number */
  struct sl_link_names groups;
  uint32_t *group_unit; /* per group the unit that supplies it */
  char **defsyms;       /* names that the caller defines */
  size_t defsym_count;
  uint32_t entry; /* number of a global */
  struct sl_link_piece *pieces;
  size_t piece_count;
  struct sl_link_span spans[SL_LINK_OUTPUTS];
};

/* Resolved symbol of a unit. */
struct sl_link_ref {
  enum sl_link_kind kind; /* UNDEFINED, DEFINED, COMMON, VALUE or MAP */
  uint32_t unit, section; /* of DEFINED */
  uint32_t value;         /* an offset, or the address */
  uint32_t global;        /* or SL_LINK_NO_NAME */
  bool weak;              /* an undefined one that may remain undefined: 0 */
};

struct sl_link_ref sl_link_resolve(const struct sl_link *link, uint32_t unit, uint32_t symbol);
struct sl_link_ref sl_link_resolve_global(const struct sl_link *link, uint32_t global);

/* Describes a place in a unit for messages: "main (main.c:12) of main.o". */
enum { SL_LINK_PLACE_SIZE = 320 };
const char *sl_link_place(const struct sl_link *link, uint32_t unit, uint32_t section, uint32_t offset,
                          char text[SL_LINK_PLACE_SIZE]);

void sl_link_free(struct sl_link *link);

/* Source lines of a program as debug information (DWARF 4): one compilation unit with all code, and a line table. */

struct sl_link_debug {
  struct sl_link_bytes line, info, abbrev; /* .debug_line, .debug_info, .debug_abbrev; empty without lines */
};

enum sl_status sl_link_lines(const struct sl_link *link, struct sl_link_debug *debug, struct sl_error *err);
void sl_link_lines_free(struct sl_link_debug *debug);

/* Symbol resolution: selects the units of a program and resolves their symbols. */

/* Adds the units, then the archive members that they need. The link's options must be set. */
enum sl_status sl_link_symbols(struct sl_link *link, const struct sl_object64 *objects, size_t count,
                               struct sl_error *err);

/* Layout of a program by the memory map of runtime/vortex.ld: code at the start address, constants, arrays of
 * constructors and destructors, the initial image of thread-local storage, initialised variables, zeroed variables.
 * After them come __tls_first and __tls_second, the storage of the first two threads. */

/* Image of a program: encodes instructions and applies relocations to code and data. */

/* Requires the layout. SL_USAGE: an address is out of range for its place. */
enum sl_status sl_link_image(struct sl_link *link, struct sl_error *err);

/* Returns the address of a symbol in the program; for thread-local storage the address in the initial image. 0 for
 * undefined and dropped symbols. */
uint32_t sl_link_address(const struct sl_link *link, const struct sl_link_ref *ref);

/* Returns symbols that name places in the map, unless a unit defines them; NULL after the last. */
const char *sl_link_map_symbol(size_t i);

/* Assigns addresses to live sections, common symbols and the names above. */
enum sl_status sl_link_layout(struct sl_link *link, struct sl_error *err);

/* Returns ".text" and so on. */
const char *sl_link_output_name(enum sl_link_output output);

#endif
