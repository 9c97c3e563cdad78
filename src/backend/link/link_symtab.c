#include "backend/link/link_symtab.h"

#include <elf.h>
#include <string.h>

#include "backend/link/link_image.h"

struct maker {
  const struct sl_link *link;
  const uint16_t *sections;
  struct sl_link_symtab *table;
};

static void put(struct maker *m, const char *name, Elf32_Sym symbol)
{
  symbol.st_name = (Elf32_Word)m->table->strings.size;
  sl_link_bytes_string(&m->table->strings, name);
  sl_link_bytes_put(&m->table->symbols, &symbol, sizeof symbol);
}

static unsigned type_of(const struct sl_symbol64 *symbol, const struct sl_section64 *section)
{
  if (section->thread_local_data)
    return STT_TLS;
  return symbol->function ? STT_FUNC : symbol->object ? STT_OBJECT : STT_NOTYPE;
}

/* The value of a thread-local symbol is its offset in the storage. */
static void put_defined(struct maker *m, const char *name, uint32_t unit, const struct sl_symbol64 *symbol,
                        unsigned bind)
{
  const struct sl_section64 *section = &m->link->units[unit].object->sections[symbol->section];
  const struct sl_link_section *in = &m->link->units[unit].sections[symbol->section];
  const uint32_t base = section->thread_local_data ? m->link->spans[SL_LINK_TDATA].address : 0;
  put(m, name,
      (Elf32_Sym){.st_value = in->address + symbol->value - base,
                  .st_size = symbol->size,
                  .st_info = (unsigned char)ELF32_ST_INFO(bind, type_of(symbol, section)),
                  .st_shndx = m->sections[in->output]});
}

static void put_locals(struct maker *m)
{
  for (uint32_t unit = 0; unit < m->link->unit_count; unit++) {
    const struct sl_link_unit *u = &m->link->units[unit];
    for (size_t i = 0; i < u->object->symbol_count; i++) {
      const struct sl_symbol64 *symbol = &u->object->symbols[i];
      if (!symbol->global && symbol->name[0] != '\0' && strncmp(symbol->name, ".L", 2) != 0 &&
          symbol->section < u->object->section_count && u->sections[symbol->section].live)
        put_defined(m, symbol->name, unit, symbol, STB_LOCAL);
    }
  }
}

static void put_global(struct maker *m, uint32_t number)
{
  const struct sl_link *link = m->link;
  const struct sl_link_global *global = &link->globals[number];
  const char *name = link->names.name[number];
  const struct sl_link_ref ref = sl_link_resolve_global(link, number);
  const unsigned bind = global->kind == SL_LINK_DEFINED && global->weak ? STB_WEAK : STB_GLOBAL;
  Elf32_Sym plain = {
      .st_value = ref.value, .st_info = (unsigned char)ELF32_ST_INFO(bind, STT_NOTYPE), .st_shndx = SHN_ABS};
  switch (ref.kind) {
  case SL_LINK_DEFINED: {
    const struct sl_link_global *target = &link->globals[ref.global];
    if (link->units[ref.unit].sections[ref.section].live)
      put_defined(m, name, ref.unit, &link->units[target->unit].object->symbols[target->symbol], bind);
    break;
  }
  case SL_LINK_COMMON:
    plain.st_size = global->size;
    plain.st_info = ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT);
    plain.st_shndx = m->sections[SL_LINK_BSS];
    if (global->live)
      put(m, name, plain);
    break;
  case SL_LINK_MAP:
    if (global->live || strncmp(name, "__", 2) == 0)
      put(m, name, plain);
    break;
  case SL_LINK_VALUE: put(m, name, plain); break;
  default: break;
  }
}

void sl_link_symtab_make(const struct sl_link *link, const uint16_t sections[SL_LINK_OUTPUTS],
                         struct sl_link_symtab *table)
{
  struct maker m = {link, sections, table};
  put(&m, "", (Elf32_Sym){0});
  put_locals(&m);
  table->locals = (uint32_t)(table->symbols.size / sizeof(Elf32_Sym));
  for (uint32_t i = 0; i < link->names.count; i++)
    put_global(&m, i);
}
