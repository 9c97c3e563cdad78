/* What the files of this folder share: a link while it is made. */
#ifndef SL_BACKEND_LINK_STATE_H
#define SL_BACKEND_LINK_STATE_H

#include "backend/link/link64.h"
#include "backend/link/link_names.h"

/* Parts of the program, in the order of their addresses. */
enum sl_link_output {
  SL_LINK_TEXT,
  SL_LINK_RODATA,
  SL_LINK_ARRAYS,
  SL_LINK_TDATA,
  SL_LINK_TBSS, /* takes no addresses of its own */
  SL_LINK_DATA,
  SL_LINK_BSS,
  SL_LINK_KERNELS, /* not loaded */
  SL_LINK_OUTPUTS
};

struct sl_link_section {
  bool dropped; /* another unit has the group that it is of */
  bool live;    /* somebody needs it */
  enum sl_link_output output;
  uint32_t address;
};

struct sl_link_unit {
  const struct sl_object64 *object;
  struct sl_object64 *own; /* of an archive: freed with the link */
  struct sl_link_section *sections;
  uint32_t *global; /* of each symbol its number among the globals, or SL_LINK_NO_NAME */
};

enum sl_link_kind {
  SL_LINK_UNDEFINED,
  SL_LINK_DEFINED, /* in a unit's section */
  SL_LINK_COMMON,
  SL_LINK_VALUE, /* a number */
  SL_LINK_ALIAS, /* of another global */
  SL_LINK_MAP    /* tells of the memory map; a number once there is one */
};

struct sl_link_global {
  enum sl_link_kind kind;
  uint32_t unit, symbol; /* that define it, or the first to use it */
  uint32_t value;        /* of ALIAS the other; of COMMON and MAP the address */
  uint32_t size, alignment;
  bool weak;   /* the definition */
  bool wanted; /* by some use that is not weak: archives are searched for it */
  bool fixed;  /* by the caller: what units define does not count */
  bool live;
};

/* A section of a unit in its place. */
struct sl_link_piece {
  enum sl_link_output output;
  uint32_t rank; /* within the output, before the order of units */
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
  struct sl_link_global *globals; /* by number of name */
  struct sl_link_names groups;
  uint32_t *group_unit; /* of each group the unit that has it */
  char **defsyms;       /* names that the caller has defined */
  size_t defsym_count;
  uint32_t entry; /* global */
  struct sl_link_piece *pieces;
  size_t piece_count;
  struct sl_link_span spans[SL_LINK_OUTPUTS];
};

/* What a symbol of a unit means. */
struct sl_link_ref {
  enum sl_link_kind kind; /* UNDEFINED, DEFINED, COMMON, VALUE or MAP */
  uint32_t unit, section; /* of DEFINED */
  uint32_t value;         /* an offset, or the address */
  uint32_t global;        /* or SL_LINK_NO_NAME */
  bool weak;              /* an undefined one that may stay so: 0 */
};

struct sl_link_ref sl_link_resolve(const struct sl_link *link, uint32_t unit, uint32_t symbol);
struct sl_link_ref sl_link_resolve_global(const struct sl_link *link, uint32_t global);

/* Where a place in a unit is, for messages: "main (main.c:12) of main.o". */
enum { SL_LINK_PLACE_SIZE = 320 };
const char *sl_link_place(const struct sl_link *link, uint32_t unit, uint32_t section, uint32_t offset,
                          char text[SL_LINK_PLACE_SIZE]);

void sl_link_free(struct sl_link *link);

#endif
