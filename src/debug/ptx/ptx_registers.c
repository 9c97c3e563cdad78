#include "debug/ptx/ptx_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "isa/lanes.h"
#include "ptx/text/ptx_parser.h"

enum { NAME = SL_PTX_REGISTER_NAME };

/* A register that an instruction writes, while the table is made. */
struct found {
  struct sl_ptx_function_register item;
  char text[NAME];
};

/* A declaration: `.reg .b32 %r<16>`. */
struct bank {
  uint32_t function;
  char text[NAME];
  uint64_t count; /* 0: one register without a number */
  enum sl_ptx_type type;
};

void sl_ptx_text(const struct sl_ptx_module *m, const struct sl_source *source, uint32_t pc, char *text, size_t size)
{
  const struct sl_ptx_insn *in = &m->code[pc];
  const char *line = sl_source_line(source, in->line);
  const char *from = line != NULL && strlen(line) >= in->column && in->column > 0 ? line + in->column - 1 : "";
  size_t n = 0;
  if (*from == '}' || *from == ';')
    from = "ret"; /* the one at the end of a function */
  for (; *from != '\0' && *from != ';' && n + 1 < size; from++)
    text[n++] = *from == '\t' ? ' ' : *from;
  text[n] = '\0';
}

/* ---- names of registers ------------------------------------------------------------------------------------------ */

/* The register that is operand `number` of an instruction, counted over the elements of vectors. */
static bool name_of(const char *text, unsigned number, char name[NAME])
{
  if (*text == '@')
    text += strcspn(text, " ");
  text += strspn(text, " ");
  text += strcspn(text, " "); /* the opcode */
  for (unsigned i = 0; *text != '\0'; i++) {
    text += strspn(text, " ,{|");
    const size_t size = strcspn(text, " ,{}|");
    if (i == number) {
      snprintf(name, NAME, "%.*s", (int)size, text);
      return size > 0 && size < NAME && name[0] != '_' && name[0] != '[';
    }
    text += size + strspn(text + size, " }");
  }
  return false;
}

/* Where an instruction puts its result of this number; the area is another one if the place is unknown. */
static struct sl_ptx_place place_of(const struct sl_ptx_insn *in, unsigned number)
{
  const bool moves = in->kind == SL_PTX_K_LOAD || in->kind == SL_PTX_K_TEX || in->kind == SL_PTX_K_UNPACK;
  const unsigned matrix = in->kind == SL_PTX_K_TILE && in->more != NULL ? in->more->matrix : SL_PTX_D;
  if (in->more != NULL && number < in->more->registers[matrix])
    return in->more->place[matrix][number];
  if (moves && number < in->elements)
    return in->element[number];
  if (number == 0 && !moves)
    return in->d;
  return number == 1 && in->has_e ? in->e : (struct sl_ptx_place){.area = SL_PTX_CONSTANTS};
}

/* Orders names by their letters, then by their number. */
static int compare_names(const char *a, const char *b)
{
  const size_t x = strcspn(a, "0123456789"), y = strcspn(b, "0123456789");
  const int letters = strncmp(a, b, x > y ? x : y);
  const unsigned long m = strtoul(a + x, NULL, 10), n = strtoul(b + y, NULL, 10);
  return x != y || letters != 0 ? (letters != 0 ? letters : x < y ? -1 : 1) : m != n ? (m < n ? -1 : 1) : strcmp(a, b);
}

static int by_name(const void *a, const void *b)
{
  const struct found *x = a, *y = b;
  return compare_names(x->text, y->text);
}

static int by_function(const void *a, const void *b)
{
  const struct sl_ptx_function_register *x = a, *y = b;
  return x->function != y->function ? (x->function < y->function ? -1 : 1)
         : x->name != y->name       ? (x->name < y->name ? -1 : 1)
                                    : 0;
}

/* The function that a line of the text is in. */
static uint32_t function_of_line(const struct sl_ptx_module *m, uint32_t line)
{
  uint32_t best = UINT32_MAX;
  for (unsigned i = 0; i < m->function_count; i++)
    if (m->functions[i].defined && m->functions[i].line <= line &&
        (best == UINT32_MAX || m->functions[i].line >= m->functions[best].line))
      best = i;
  return best;
}

static void copy_token(char to[NAME], const struct sl_ptx_token *t)
{
  snprintf(to, NAME, "%.*s", (int)(t->length < NAME ? t->length : NAME - 1), t->text);
}

/* The declarations after `.reg` in a line. */
static bool read_declaration(struct sl_ptx_parser *p, uint32_t function, struct bank **bank, size_t *count)
{
  const enum sl_ptx_type type = sl_ptx_type_named(&p->token);
  sl_ptx_advance(p);
  do {
    struct bank b = {.function = function, .type = type};
    copy_token(b.text, &p->token);
    sl_ptx_advance(p);
    if (sl_ptx_take(p, SL_PTX_T_SIGN, "<")) {
      b.count = sl_ptx_token_number(&p->token).bits;
      sl_ptx_advance(p);
      sl_ptx_take(p, SL_PTX_T_SIGN, ">");
    }
    if (!SL_GROW(*bank, *count))
      return false;
    (*bank)[(*count)++] = b;
  } while (sl_ptx_take(p, SL_PTX_T_SIGN, ","));
  return true;
}

/* The declarations of all registers. */
static struct bank *read_banks(const struct sl_ptx_module *m, const struct sl_source *source, size_t *count)
{
  struct sl_error ignored;
  struct bank *bank = NULL;
  bool room = true;
  for (unsigned line = 1; line <= source->count && room; line++) {
    const char *text = sl_source_line(source, line);
    struct sl_ptx_parser p = {.err = &ignored};
    if (strstr(text, ".reg") == NULL)
      continue;
    sl_ptx_lexer_init(&p.lexer, text, strlen(text));
    for (sl_ptx_advance(&p); p.token.kind != SL_PTX_T_END && room;)
      if (sl_ptx_take(&p, SL_PTX_T_DOT, "reg"))
        room = read_declaration(&p, function_of_line(m, line), &bank, count);
      else
        sl_ptx_advance(&p);
  }
  return bank;
}

static enum sl_ptx_type declared_type(const struct bank *bank, size_t banks, uint32_t function, const char *name)
{
  for (size_t i = banks; i-- > 0;) { /* an inner scope is after the outer one */
    const size_t size = strlen(bank[i].text);
    char *end;
    if (bank[i].function != function || strncmp(bank[i].text, name, size) != 0)
      continue;
    if (bank[i].count == 0 ? name[size] == '\0'
                           : name[size] != '\0' && strtoull(name + size, &end, 10) < bank[i].count && *end == '\0')
      return bank[i].type;
  }
  return SL_PTX_NO_TYPE;
}

/* The registers that the instructions of a function write. */
static bool find_written(const struct sl_ptx_registers *r, uint32_t function, struct found **found, size_t *count)
{
  const struct sl_ptx_function *f = &r->module->functions[function];
  char text[300];
  for (uint32_t pc = f->begin; pc < f->end; pc++) {
    const struct sl_ptx_insn *in = &r->module->code[pc];
    sl_ptx_text(r->module, &r->source, pc, text, sizeof text);
    for (unsigned i = 0; i < sl_ptx_dsts(in); i++) {
      struct found one = {.item = {.function = function, .place = place_of(in, i), .words = sl_ptx_dst(in, i).words}};
      if (one.item.place.area != SL_PTX_REGISTERS || !name_of(text, i, one.text))
        continue;
      if (*count == SL_PTX_REGISTERS_MOST || !SL_GROW(*found, *count))
        return false;
      (*found)[(*count)++] = one;
    }
  }
  return true;
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

static bool is_signed(const struct sl_ptx_function_register *r)
{
  switch (r->type) {
  case SL_PTX_B16:
  case SL_PTX_B32:
  case SL_PTX_B64:
  case SL_PTX_S16:
  case SL_PTX_S32:
  case SL_PTX_S64: return true;
  default: return false;
  }
}

static unsigned bits_of(const struct sl_ptx_function_register *r)
{
  const unsigned bytes = sl_ptx_type_bytes(r->type);
  return r->words == 0 ? 8 : bytes != 0 ? 8 * bytes : 32u * r->words;
}

static const char *type_of(const struct sl_ptx_function_register *r)
{
  static const char *const whole[] = {"uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"};
  const unsigned bits = bits_of(r), size = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
  switch (r->type) {
  case SL_PTX_F16: return "ieee_half";
  case SL_PTX_F32: return "ieee_single";
  case SL_PTX_F64: return "ieee_double";
  default: return whole[is_signed(r) ? 4 + size : size];
  }
}

/* Functions may use one name for registers of several types: gdb then sees the bits of the widest. */
static void widen(struct sl_ptx_register_name *name, const char *type, unsigned bits)
{
  if (name->type == NULL) {
    name->type = type;
    name->bits = bits;
  } else if (strcmp(name->type, type) != 0) {
    name->bits = bits > name->bits ? bits : name->bits;
    name->type = name->bits == 64 ? "uint64" : name->bits == 32 ? "uint32" : "uint16";
  }
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static bool make_table(struct sl_ptx_registers *r, struct found *found, size_t count)
{
  qsort(found, count, sizeof *found, by_name);
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || strcmp(found[i].text, found[i - 1].text) != 0) {
      if (!SL_GROW(r->name, r->names))
        return false;
      r->name[r->names] = (struct sl_ptx_register_name){.bits = 0};
      memcpy(r->name[r->names++].text, found[i].text, NAME);
    }
    found[i].item.name = (uint32_t)r->names - 1;
    if (!SL_GROW(r->item, r->items))
      return false;
    r->item[r->items++] = found[i].item;
  }
  size_t kept = 0;
  if (r->items > 0)
    qsort(r->item, r->items, sizeof *r->item, by_function);
  for (size_t i = 0; i < r->items; i++) {
    widen(&r->name[r->item[i].name], type_of(&r->item[i]), bits_of(&r->item[i]));
    if (kept == 0 || by_function(&r->item[kept - 1], &r->item[i]) != 0)
      r->item[kept++] = r->item[i];
  }
  r->items = kept;
  return true;
}

static void free_registers(struct sl_ptx_registers *r)
{
  sl_source_free(&r->source);
  free(r->name);
  free(r->item);
  free(r->own);
  *r = (struct sl_ptx_registers){.module = NULL};
}

/* Reads the PTX text of a module again. Without it, or without memory, there are no names. */
static void read_registers(struct sl_ptx_registers *r, const struct sl_ptx_module *module)
{
  struct sl_error ignored;
  struct found *found = NULL;
  size_t count = 0, banks = 0;
  free_registers(r);
  r->module = module;
  r->code = module->options.code;
  if (sl_source_read(&r->source, module->path, &ignored) != SL_OK)
    return;
  struct bank *bank = read_banks(module, &r->source, &banks);
  for (uint32_t f = 0; f < module->function_count; f++)
    if (!find_written(r, f, &found, &count))
      break;
  for (size_t i = 0; i < count; i++)
    found[i].item.type = declared_type(bank, banks, found[i].item.function, found[i].text);
  if (count > 0 && !make_table(r, found, count))
    r->names = r->items = 0;
  free(found);
  free(bank);
}

/* ---- all modules ------------------------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
  const struct sl_ptx_register_name *x = a, *y = b;
  return compare_names(x->text, y->text);
}

/* Looks up the numbers of a module's names. */
static void number_own(const struct sl_ptx_register_set *set, struct sl_ptx_registers *r)
{
  free(r->own);
  r->own = set->names > 0 ? malloc(set->names * sizeof *r->own) : NULL;
  for (size_t i = 0; i < set->names && r->own != NULL; i++) {
    const struct sl_ptx_register_name *name =
        r->names > 0 ? bsearch(&set->name[i], r->name, r->names, sizeof *r->name, by_text) : NULL;
    r->own[i] = name != NULL ? (uint32_t)(name - r->name) : UINT32_MAX;
  }
}

struct sl_ptx_registers *sl_ptx_register_set_bind(struct sl_ptx_register_set *set, const struct sl_ptx_module *module)
{
  for (size_t i = 0; i < set->count; i++)
    if (set->of[i]->code == module->options.code) {
      set->of[i]->module = module;
      return set->of[i];
    }
  struct sl_ptx_registers *r = calloc(1, sizeof *r);
  if (r == NULL || !SL_GROW(set->of, set->count)) {
    free(r);
    return NULL;
  }
  read_registers(r, module);
  number_own(set, r);
  return set->of[set->count++] = r;
}

void sl_ptx_register_set_number(struct sl_ptx_register_set *set)
{
  size_t all = 0, kept = 0;
  for (size_t i = 0; i < set->count; i++)
    all += set->of[i]->names;
  struct sl_ptx_register_name *name = all > 0 ? calloc(all, sizeof *name) : NULL;
  free(set->name);
  set->name = name;
  set->names = 0;
  if (name == NULL)
    return;
  all = 0;
  for (size_t i = 0; i < set->count; all += set->of[i++]->names)
    if (set->of[i]->names > 0)
      memcpy(name + all, set->of[i]->name, set->of[i]->names * sizeof *name);
  qsort(name, all, sizeof *name, by_text);
  for (size_t i = 0; i < all; i++)
    if (kept > 0 && strcmp(name[kept - 1].text, name[i].text) == 0)
      widen(&name[kept - 1], name[i].type, name[i].bits);
    else
      name[kept++] = name[i];
  set->names = kept < SL_PTX_REGISTERS_MOST ? kept : SL_PTX_REGISTERS_MOST;
  for (size_t i = 0; i < set->count; i++)
    number_own(set, set->of[i]);
}

void sl_ptx_register_set_free(struct sl_ptx_register_set *set)
{
  for (size_t i = 0; i < set->count; i++) {
    free_registers(set->of[i]);
    free(set->of[i]);
  }
  free(set->of);
  free(set->name);
  *set = (struct sl_ptx_register_set){.of = NULL};
}

static uint32_t function_at(const struct sl_ptx_module *m, uint32_t pc)
{
  for (uint32_t i = 0; i < m->function_count; i++)
    if (m->functions[i].begin <= pc && pc < m->functions[i].end)
      return i;
  return UINT32_MAX;
}

const struct sl_ptx_function_register *sl_ptx_registers_find(const struct sl_ptx_registers *r, uint32_t pc,
                                                             size_t number)
{
  if (r->own == NULL || r->own[number] == UINT32_MAX)
    return NULL;
  const struct sl_ptx_function_register key = {.function = function_at(r->module, pc), .name = r->own[number]};
  return bsearch(&key, r->item, r->items, sizeof *r->item, by_function);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* A register of 16 bits has 32. A predicate is a bit per lane. */
uint64_t sl_ptx_register_value(const struct sl_ptx_warp *w, const struct sl_ptx_function_register *r, unsigned lane)
{
  const uint8_t *lanes = w->area[r->place.area] + r->place.offset;
  uint64_t value = 0;
  if (r->words == 2)
    memcpy(&value, lanes + 8 * (size_t)lane, 8);
  else
    memcpy(&value, lanes + (r->words == 1 ? 4 * (size_t)lane : 0), 4);
  const unsigned unused = 64 - bits_of(r);
  if (r->words == 0)
    return value >> lane & 1;
  return is_signed(r) ? (uint64_t)((int64_t)(value << unused) >> unused) : value << unused >> unused;
}

void sl_ptx_register_set(const struct sl_ptx_warp *w, const struct sl_ptx_function_register *r, unsigned lane,
                         uint64_t value)
{
  uint8_t *lanes = w->area[r->place.area] + r->place.offset;
  uint32_t word = (uint32_t)value;
  if (r->words == 2) {
    memcpy(lanes + 8 * (size_t)lane, &value, 8);
    return;
  }
  if (r->words == 0) {
    memcpy(&word, lanes, sizeof word);
    word = (word & ~(uint32_t)sl_bit(lane)) | (uint32_t)(value != 0) << lane;
  }
  memcpy(lanes + (r->words == 1 ? 4 * (size_t)lane : 0), &word, sizeof word);
}

static void print_one(const char *name, const struct sl_ptx_function_register *r, uint64_t value, struct sl_reply *to)
{
  const uint32_t word = (uint32_t)value;
  float single;
  double twice;
  memcpy(&single, &word, sizeof single);
  memcpy(&twice, &value, sizeof twice);
  if (r->words == 0)
    sl_reply_print(to, "%-10s %s\n", name, value != 0 ? "true" : "false");
  else if (r->type == SL_PTX_F32)
    sl_reply_print(to, "%-10s 0x%08" PRIx32 " %.9g\n", name, word, (double)single);
  else if (r->type == SL_PTX_F64)
    sl_reply_print(to, "%-10s 0x%016" PRIx64 " %.17g\n", name, value, twice);
  else if (r->words == 1)
    sl_reply_print(to, "%-10s 0x%08" PRIx32 " %" PRId32 "\n", name, word, (int32_t)word);
  else
    sl_reply_print(to, "%-10s 0x%016" PRIx64 " %" PRId64 "\n", name, value, (int64_t)value);
}

void sl_ptx_registers_print(const struct sl_ptx_registers *r, const struct sl_ptx_warp *w, unsigned lane, uint32_t pc,
                            const char *wanted, struct sl_reply *to)
{
  const uint32_t function = function_at(r->module, pc);
  for (size_t i = 0; i < r->items; i++) {
    const char *name = r->name[r->item[i].name].text;
    if (r->item[i].function == function && (wanted[0] == '\0' || strcmp(wanted, name) == 0))
      print_one(name, &r->item[i], sl_ptx_register_value(w, &r->item[i], lane), to);
  }
  if (to->size == 0)
    sl_reply_print(to, wanted[0] != '\0' ? "no instruction of the function writes this register\n" : "no registers\n");
}
