#include "ptx/text/ptx_parser.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/run/ptx_memory.h"
#include "ptx/text/ptx_forms.h"

enum { MOST_BYTES = 1 << 28 };

/* The number at the end of a name; 0 if there is none. */
static uint16_t printed_number(const struct sl_ptx_token *t)
{
  size_t at = t->length;
  uint32_t value = 0;
  while (at > 0 && t->text[at - 1] >= '0' && t->text[at - 1] <= '9')
    at--;
  for (; at < t->length; at++)
    value = (value * 10 + (uint32_t)(t->text[at] - '0')) & 0xffff;
  return (uint16_t)value;
}

static bool unsigned_number(struct sl_ptx_parser *p, uint64_t most, uint64_t *value)
{
  const struct sl_ptx_number n = sl_ptx_token_number(&p->token);
  if (!n.ok || n.real || n.bits > most)
    return sl_ptx_error(p, &p->token, "a number from 0 to %llu is expected here, not '%.*s'", (unsigned long long)most,
                        SL_PTX_SHOWN(&p->token));
  *value = n.bits;
  sl_ptx_advance(p);
  return true;
}

static bool declare_bank(struct sl_ptx_parser *p, enum sl_ptx_type type)
{
  enum { MOST = 1 << 16 };
  const struct sl_ptx_token name = p->token;
  uint64_t count = 0;
  if (name.kind != SL_PTX_T_WORD)
    return sl_ptx_error(p, &name, "the name of a register is expected here, not '%.*s'", SL_PTX_SHOWN(&name));
  sl_ptx_advance(p);
  if (sl_ptx_take(p, SL_PTX_T_SIGN, "<") && (!unsigned_number(p, MOST, &count) || !sl_ptx_expect(p, ">")))
    return false;
  const uint32_t registers = count ? (uint32_t)count : 1;
  if (!SL_PTX_MORE(p, p->banks, 1) || !SL_PTX_MORE(p, p->registers, registers))
    return false;
  p->banks.items[p->banks.count++] = (struct sl_ptx_bank){name, type, (uint32_t)count, p->registers.count};
  for (uint32_t i = 0; i < registers; i++)
    p->registers.items[p->registers.count++] = (struct sl_ptx_register){
        .type = type, .id = SL_PTX_NO_REG, .printed = count ? (uint16_t)i : printed_number(&name)};
  return true;
}

bool sl_ptx_declare_registers(struct sl_ptx_parser *p)
{
  const struct sl_ptx_token at = p->token;
  const enum sl_ptx_type type = at.kind == SL_PTX_T_DOT ? sl_ptx_type_named(&at) : SL_PTX_NO_TYPE;
  if (type == SL_PTX_NO_TYPE || sl_ptx_type_bytes(type) == 1)
    return sl_ptx_error(p, &at, "simtlab supports registers of .pred and of types of 16, 32 and 64 bits, not of .%.*s",
                        SL_PTX_SHOWN(&at));
  sl_ptx_advance(p);
  do {
    if (!declare_bank(p, type))
      return false;
  } while (sl_ptx_take(p, SL_PTX_T_SIGN, ","));
  return sl_ptx_expect(p, ";");
}

static bool dimensions(struct sl_ptx_parser *p, struct sl_ptx_declared *d)
{
  while (sl_ptx_take(p, SL_PTX_T_SIGN, "[")) {
    uint64_t count = 0;
    if (sl_ptx_take(p, SL_PTX_T_SIGN, "]")) {
      d->open = true;
      continue;
    }
    if (!unsigned_number(p, MOST_BYTES, &count) || !sl_ptx_expect(p, "]"))
      return false;
    d->bytes *= count;
    if (d->bytes > MOST_BYTES)
      return sl_ptx_error(p, &d->name, "'%.*s' has more than 256 MiB", SL_PTX_SHOWN(&d->name));
  }
  return !sl_ptx_failed(p);
}

bool sl_ptx_declared_read(struct sl_ptx_parser *p, struct sl_ptx_declared *d)
{
  enum { MOST_ALIGN = 4096 };
  *d = (struct sl_ptx_declared){.type = SL_PTX_NO_TYPE};
  unsigned elements = 1;
  while (p->token.kind == SL_PTX_T_DOT) {
    const enum sl_ptx_type type = sl_ptx_type_named(&p->token);
    if (type != SL_PTX_NO_TYPE)
      d->type = type;
    else if (sl_ptx_token_is(&p->token, "texref")) {
      d->type = SL_PTX_U64;
      d->texture = true;
    } else if (sl_ptx_token_is(&p->token, "surfref")) { /* simtlab's headers keep an address in it */
      d->type = SL_PTX_U64;
    } else if (sl_ptx_token_is(&p->token, "v2") || sl_ptx_token_is(&p->token, "v4"))
      elements = p->token.text[1] == '2' ? 2 : 4;
    else if (sl_ptx_token_is(&p->token, "align")) {
      sl_ptx_advance(p);
      const struct sl_ptx_token number = p->token;
      if (!unsigned_number(p, MOST_ALIGN, &d->align))
        return false;
      if (!sl_is_pow2(d->align))
        return sl_ptx_error(p, &number, "an alignment must be a power of two");
      continue;
    } else if (!sl_ptx_token_is(&p->token, "ptr") && !sl_ptx_token_is(&p->token, "global") &&
               !sl_ptx_token_is(&p->token, "shared") && !sl_ptx_token_is(&p->token, "const") &&
               !sl_ptx_token_is(&p->token, "local"))
      return sl_ptx_error(p, &p->token, "simtlab does not support variables with .%.*s", SL_PTX_SHOWN(&p->token));
    sl_ptx_advance(p);
  }
  d->name = p->token;
  d->bytes = (uint64_t)sl_ptx_type_bytes(d->type) * elements;
  if (d->bytes == 0)
    return sl_ptx_error(p, &d->name, "the type of the variable is missing, or memory cannot hold it");
  if (d->name.kind != SL_PTX_T_WORD)
    return sl_ptx_error(p, &d->name, "the name of a variable is expected here, not '%.*s'", SL_PTX_SHOWN(&d->name));
  d->align = d->align ? d->align : d->bytes;
  sl_ptx_advance(p);
  return dimensions(p, d);
}

static uint64_t rounded(uint64_t value, uint64_t align)
{
  return (value + align - 1) & ~(align - 1);
}

/* An address: name, name+8, generic(name), generic(name)+8. */
static bool initial_address(struct sl_ptx_parser *p, uint64_t *bits)
{
  const bool generic = sl_ptx_take(p, SL_PTX_T_WORD, "generic");
  if (generic && !sl_ptx_expect(p, "("))
    return false;
  const struct sl_ptx_token name = p->token;
  const bool function = name.kind == SL_PTX_T_WORD && sl_ptx_function_value(p, &name, bits);
  const uint32_t symbol = name.kind == SL_PTX_T_WORD ? sl_ptx_symbol_find(p, &name) : UINT32_MAX;
  if (!function && (symbol == UINT32_MAX || (p->symbols.items[symbol].space != SL_PTX_GLOBAL &&
                                             p->symbols.items[symbol].space != SL_PTX_CONST)))
    return sl_ptx_error(p, &name,
                        "'%.*s' is neither a number nor a variable in .global or .const memory declared above",
                        SL_PTX_SHOWN(&name));
  if (!function)
    *bits = sl_ptx_symbol_address(&p->symbols.items[symbol], generic);
  sl_ptx_advance(p);
  int64_t offset;
  for (unsigned closed = !generic; closed < 2; closed++) {
    if (!sl_ptx_offset_read(p, &offset))
      return false;
    *bits += (uint64_t)offset;
    if (closed == 0 && !sl_ptx_expect(p, ")"))
      return false;
  }
  return true;
}

/* A number; an address; or 0xFF00(address), which selects bytes of an address. */
static bool initial_bits(struct sl_ptx_parser *p, enum sl_ptx_type type, uint64_t *bits)
{
  const unsigned bytes = sl_ptx_type_bytes(type);
  const struct sl_ptx_token at = p->token;
  const bool minus = sl_ptx_take(p, SL_PTX_T_SIGN, "-");
  if (!minus && at.kind == SL_PTX_T_WORD)
    return bytes == 8
               ? initial_address(p, bits)
               : sl_ptx_error(p, &at, "an initial value must be a number here: an address needs a variable of 64 bits");
  const struct sl_ptx_number n = sl_ptx_token_number(&p->token);
  *bits = n.bits;
  if (!n.ok || (n.real && n.single != (bytes == 4) && type != SL_PTX_F32))
    return sl_ptx_error(p, &p->token, "an initial value must be a number of the variable's type, not '%.*s'",
                        SL_PTX_SHOWN(&p->token));
  if (n.real && !n.single && bytes == 4) {
    double value;
    memcpy(&value, bits, sizeof value);
    const float near = (float)value;
    memcpy(bits, &near, sizeof near);
  }
  if (minus)
    *bits = n.real ? *bits ^ UINT64_C(1) << (8 * bytes - 1) : 0 - *bits;
  sl_ptx_advance(p);
  if (n.real || minus || n.bits == 0 || !sl_ptx_take(p, SL_PTX_T_SIGN, "("))
    return true;
  uint64_t address;
  if (!initial_address(p, &address) || !sl_ptx_expect(p, ")"))
    return false;
  *bits = (address & n.bits) >> sl_lowest(n.bits);
  return true;
}

static bool initial_value(struct sl_ptx_parser *p, enum sl_ptx_type type, uint8_t *at)
{
  uint64_t bits;
  if (!initial_bits(p, type, &bits))
    return false;
  memcpy(at, &bits, sl_ptx_type_bytes(type));
  return true;
}

/* { 1, 2, { 3 } }: missing values are zero. */
static bool initial_values(struct sl_ptx_parser *p, const struct sl_ptx_declared *d, uint8_t *at)
{
  const unsigned bytes = sl_ptx_type_bytes(d->type);
  uint64_t offset = 0, depth = 0;
  do {
    while (sl_ptx_take(p, SL_PTX_T_SIGN, "{"))
      depth++;
    if (!sl_ptx_at(p, SL_PTX_T_SIGN, "}")) {
      if (offset + bytes > d->bytes)
        return sl_ptx_error(p, &p->token, "more initial values than '%.*s' has room for", SL_PTX_SHOWN(&d->name));
      if (!initial_value(p, d->type, at + offset))
        return false;
      offset += bytes;
    }
    while (depth > 0 && sl_ptx_take(p, SL_PTX_T_SIGN, "}"))
      depth--;
  } while (depth > 0 && sl_ptx_expect(p, ","));
  return !sl_ptx_failed(p);
}

/* Makes room in the image of global or constant memory. */
static bool in_image(struct sl_ptx_parser *p, const struct sl_ptx_declared *d, struct sl_ptx_symbol *s)
{
  const bool constant = s->space == SL_PTX_CONST;
  uint32_t *count = constant ? &p->consts.count : &p->globals.count;
  const uint64_t start = rounded(*count, d->align), end = start + d->bytes;
  if (end > MOST_BYTES)
    return sl_ptx_error(p, &d->name, "the module's variables have more than 256 MiB");
  if (!SL_PTX_MORE(p, p->symbols, 1) ||
      !(constant ? SL_PTX_MORE(p, p->consts, end - *count) : SL_PTX_MORE(p, p->globals, end - *count)))
    return false;
  uint8_t *image = constant ? p->consts.items : p->globals.items;
  if (end > *count)
    memset(image + *count, 0, end - *count);
  *count = (uint32_t)end;
  const struct sl_ptx_options *o = &p->module->options;
  s->address = start + (constant ? o->constants : SL_PTX_STATIC_BASE + o->globals);
  p->symbols.items[p->symbols.count++] = *s; /* the values may be its address */
  return !sl_ptx_take(p, SL_PTX_T_SIGN, "=") || initial_values(p, d, image != NULL ? image + start : NULL);
}

static bool keep_shared(struct sl_ptx_parser *p, const struct sl_ptx_symbol *s, const struct sl_ptx_declared *d)
{
  struct sl_ptx_module *m = p->module;
  struct sl_ptx_shared *grown = realloc(m->shared, (m->shared_count + (size_t)1) * sizeof *grown);
  char *name = sl_ptx_token_copy(p, &s->name);
  m->shared = grown != NULL ? grown : m->shared;
  if (grown == NULL || name == NULL) {
    free(name);
    return (p->status = sl_no_memory(p->err, sizeof *grown)) == SL_OK;
  }
  grown[m->shared_count++] = (struct sl_ptx_shared){name, (uint32_t)s->address, (uint32_t)d->bytes, p->function};
  return true;
}

/* Bytes behind a shared variable of an entry that end at `end`: fewer where the variables take much. */
static uint32_t gap_at(const struct sl_ptx_parser *p, uint32_t end)
{
  enum { FEW = 16 << 10, WIDE = 256, MANY = 40 << 10, NARROW = 32 };
  return !p->module->options.gaps ? 0 : end <= FEW ? WIDE : end <= MANY ? NARROW : 0;
}

static bool lay_out(struct sl_ptx_parser *p, struct sl_ptx_symbol *s, const struct sl_ptx_declared *d)
{
  const bool of_entry = p->function != UINT32_MAX && p->functions.items[p->function].entry;
  if (s->space != SL_PTX_LOCAL && !of_entry) {
    if (!sl_ptx_shared_declare(p, s, d->align))
      return false;
  } else {
    uint32_t *end = s->space == SL_PTX_LOCAL ? &p->frame_bytes : &p->function_shared;
    s->address = rounded(*end, d->align);
    if (s->address + d->bytes <= MOST_BYTES)
      *end = (uint32_t)(s->address + d->bytes);
    if (s->space == SL_PTX_SHARED && s->address + d->bytes <= MOST_BYTES) {
      const uint32_t gap = gap_at(p, *end);
      *end += gap;
      p->functions.items[p->function].shared_gaps += gap;
    }
  }
  if (s->address + d->bytes > MOST_BYTES)
    return sl_ptx_error(p, &d->name, "'%.*s' does not fit", SL_PTX_SHOWN(&d->name));
  return s->space != SL_PTX_SHARED || keep_shared(p, s, d);
}

/* A variable that another part of the text defines: it has its address, or in a first pass none. */
static bool declare_extern(struct sl_ptx_parser *p, struct sl_ptx_symbol *s)
{
  s->undefined = true;
  for (uint32_t i = 0; i < p->known_count; i++)
    if (p->known[i].space == s->space && !p->known[i].undefined && sl_ptx_same(&p->known[i].name, &s->name))
      s->address = p->known[i].address;
  if (!SL_PTX_MORE(p, p->symbols, 1))
    return false;
  p->symbols.items[p->symbols.count++] = *s;
  return sl_ptx_expect(p, ";");
}

/* A .weak variable that an earlier module defines, too. */
static bool is_again(const struct sl_ptx_parser *p, const struct sl_ptx_symbol *s)
{
  const uint32_t found = p->weak && p->function == UINT32_MAX ? sl_ptx_symbol_find(p, &s->name) : UINT32_MAX;
  return found != UINT32_MAX && !p->symbols.items[found].undefined && p->symbols.items[found].space == s->space;
}

bool sl_ptx_declare_variable(struct sl_ptx_parser *p, enum sl_ptx_space space, bool is_extern)
{
  struct sl_ptx_declared d;
  if (!sl_ptx_declared_read(p, &d))
    return false;
  if (d.texture && (space != SL_PTX_GLOBAL || d.bytes != 8 || sl_ptx_at(p, SL_PTX_T_SIGN, "=")))
    return sl_ptx_error(p, &d.name,
                        "simtlab supports only single .texref variables in .global memory, which launches bind");
  struct sl_ptx_symbol s = {.name = d.name, .space = space, .bytes = d.bytes, .texture = d.texture};
  if (space == SL_PTX_PARAM) {
    s.space = SL_PTX_LOCAL;
    s.parameter = s.argument = true;
  }
  if (d.open && space == SL_PTX_SHARED && is_extern)
    s.dynamic = true;
  else if (is_again(p, &s)) {
    while (p->token.kind != SL_PTX_T_END && !sl_ptx_at(p, SL_PTX_T_SIGN, ";"))
      sl_ptx_advance(p);
    return sl_ptx_expect(p, ";");
  } else if (is_extern && p->function == UINT32_MAX && (space == SL_PTX_GLOBAL || space == SL_PTX_CONST))
    return declare_extern(p, &s);
  else if (d.open || is_extern)
    return sl_ptx_error(p, &d.name, "'%.*s' is not defined in this module: link the modules into one",
                        SL_PTX_SHOWN(&d.name));
  else if (s.space == SL_PTX_GLOBAL || s.space == SL_PTX_CONST)
    return in_image(p, &d, &s) && sl_ptx_expect(p, ";");
  else if (!lay_out(p, &s, &d))
    return false;
  if (!SL_PTX_MORE(p, p->symbols, 1))
    return false;
  p->symbols.items[p->symbols.count++] = s;
  return sl_ptx_expect(p, ";");
}
