#include "backend/link/link_map.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend/link/link_image.h"
#include "backend/link/link_layout.h"

static void __attribute__((format(printf, 2, 3))) add(struct sl_link_bytes *text, const char *format, ...)
{
  char line[512];
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (n > 0)
    sl_link_bytes_put(text, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

static void add_part(const struct sl_link *link, enum sl_link_output output, struct sl_link_bytes *text)
{
  const struct sl_link_span *span = &link->spans[output];
  if (span->size == 0)
    return;
  add(text, "%08" PRIx32 " %8" PRIx32 " %s\n", span->address, span->size, sl_link_output_name(output));
  for (size_t i = 0; i < span->count; i++) {
    const struct sl_link_piece *piece = &link->pieces[span->first + i];
    const struct sl_object64 *object = link->units[piece->unit].object;
    add(text, "%08" PRIx32 " %8" PRIx32 "   %.150s  %.200s\n",
        link->units[piece->unit].sections[piece->section].address, object->sections[piece->section].size,
        object->sections[piece->section].name, object->name);
  }
}

void sl_link_map(const struct sl_link *link, struct sl_link_bytes *text)
{
  add(text, "address  bytes    part, or section and file (hexadecimal)\n");
  for (unsigned i = 0; i < SL_LINK_OUTPUTS; i++)
    add_part(link, (enum sl_link_output)i, text);
  add(text, "\naddress  symbol\n");
  for (uint32_t i = 0; i < link->names.count; i++) {
    const struct sl_link_ref ref = sl_link_resolve_global(link, i);
    const bool there = ref.kind == SL_LINK_DEFINED ? link->units[ref.unit].sections[ref.section].live
                                                   : ref.kind != SL_LINK_UNDEFINED && link->globals[i].live;
    if (there)
      add(text, "%08" PRIx32 " %.400s\n", sl_link_address(link, &ref), link->names.name[i]);
  }
}
