#include "device/script.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "program/program.h"

enum { WORDS = SL_SCRIPT_ARGUMENTS + 16 };
#define MOST_BUFFER (UINT64_C(32) << 30)

struct word {
  const char *text;
  size_t length;
  uint32_t column;
};

struct reader {
  struct sl_script *script;
  struct sl_error *err;
  struct word words[WORDS];
  unsigned count;
  uint32_t line;
  struct {
    struct word kernel;
    uint32_t regs;
  } regs[16];
  unsigned regs_count;
  bool failed;
};

static bool wrong(struct reader *r, uint32_t column, const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool wrong(struct reader *r, uint32_t column, const char *format, ...)
{
  char sentence[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  if (!r->failed)
    sl_fail(r->err, SL_USAGE, "%.300s:%u:%u: %s", r->script->path, r->line ? r->line : 1, column, sentence);
  r->failed = true;
  return false;
}

#define SHOWN(w) (int)((w)->length < 80 ? (w)->length : 80), (w)->text

static bool is(const struct word *w, const char *text)
{
  return w->length == strlen(text) && memcmp(w->text, text, w->length) == 0;
}

static bool split(struct reader *r, const char *line, size_t length)
{
  r->count = 0;
  for (size_t i = 0; i < length && line[i] != '#';) {
    if (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
      i++;
      continue;
    }
    const size_t start = i;
    while (i < length && line[i] != ' ' && line[i] != '\t' && line[i] != '\r' && line[i] != '#')
      i++;
    if (r->count == WORDS)
      return wrong(r, (uint32_t)start + 1, "a line has at most %d words", WORDS);
    r->words[r->count++] = (struct word){line + start, i - start, (uint32_t)start + 1};
  }
  return true;
}

static bool copy(struct reader *r, const struct word *w, char *to, size_t room)
{
  if (w->length >= room || memchr(w->text, '\0', w->length) != NULL)
    return wrong(r, w->column, "this name has more than %zu characters", room - 1);
  memcpy(to, w->text, w->length);
  to[w->length] = '\0';
  return true;
}

/* Paths are relative to the script's folder. */
static bool copy_path(struct reader *r, const struct word *w, char *to)
{
  const char *slash = strrchr(r->script->path, '/');
  const size_t folder = w->text[0] == '/' || slash == NULL ? 0 : (size_t)(slash - r->script->path) + 1;
  if (folder + w->length >= SL_SCRIPT_PATH)
    return wrong(r, w->column, "this path is longer than %d characters", SL_SCRIPT_PATH - 1);
  memcpy(to, r->script->path, folder);
  return copy(r, w, to + folder, SL_SCRIPT_PATH - folder);
}

/* A number in C syntax, with a sign if `sign`. */
static bool whole(struct reader *r, const struct word *w, uint64_t most, uint64_t *value)
{
  char text[32], *end = text;
  const bool minus = w->length > 0 && w->text[0] == '-';
  if (w->length == 0 || w->length >= sizeof text)
    return wrong(r, w->column, "'%.*s' is not a number", SHOWN(w));
  memcpy(text, w->text, w->length);
  text[w->length] = '\0';
  errno = 0;
  *value = strtoull(text + minus, &end, 0);
  if (*end != '\0' || end == text + minus || errno != 0 || text[(int)minus] < '0' || text[(int)minus] > '9')
    return wrong(r, w->column, "'%.*s' is not a number", SHOWN(w));
  if (*value > most)
    return wrong(r, w->column, "%.*s is more than %llu", SHOWN(w), (unsigned long long)most);
  if (minus)
    *value = 0 - *value;
  return true;
}

static bool counted(struct reader *r, unsigned least, const char *form)
{
  const struct word *last = &r->words[r->count - 1];
  return r->count == least ||
         wrong(r, r->count > least ? r->words[least].column : last->column + (uint32_t)last->length,
               "the statement is: %s", form);
}

static struct sl_script_step *add_step(struct reader *r, enum sl_script_step_kind kind)
{
  struct sl_script *s = r->script;
  if (!SL_GROW(s->steps, s->step_count)) {
    sl_no_memory(r->err, 2 * s->step_count * sizeof *s->steps);
    r->failed = true;
    return NULL;
  }
  struct sl_script_step *step = &s->steps[s->step_count++];
  *step = (struct sl_script_step){.kind = kind, .line = r->line};
  return step;
}

/* The last buffer of a name. */
static bool find_buffer(struct reader *r, const struct word *w, uint32_t *index)
{
  for (unsigned i = r->script->step_count; i-- > 0;)
    if (r->script->steps[i].kind == SL_SCRIPT_STEP_BUFFER && is(w, r->script->steps[i].name)) {
      *index = i;
      return true;
    }
  return wrong(r, w->column, "no buffer '%.*s' is defined above", SHOWN(w));
}

static bool fill(struct reader *r, struct sl_script_fill *f, unsigned from)
{
  static const struct {
    const char *name;
    unsigned numbers;
    const char *form;
  } kinds[] = {[SL_SCRIPT_FILL_ZERO] = {"zero", 0, "buffer NAME BYTES zero"},
               [SL_SCRIPT_FILL_IOTA] = {"iota", 0, "buffer NAME BYTES iota"},
               [SL_SCRIPT_FILL_RAMP] = {"ramp", 2, "buffer NAME BYTES ramp FIRST LAST"},
               [SL_SCRIPT_FILL_CONST] = {"const", 1, "buffer NAME BYTES const VALUE"},
               [SL_SCRIPT_FILL_RANDU] = {"randu", 2, "buffer NAME BYTES randu MODULUS SEED"},
               [SL_SCRIPT_FILL_RANDF] = {"randf", 1, "buffer NAME BYTES randf SEED"},
               [SL_SCRIPT_FILL_CSR] = {"csr", 2, "buffer NAME BYTES csr AVERAGE SEED"},
               [SL_SCRIPT_FILL_FILE] = {"file", 1, "buffer NAME BYTES file PATH"}};
  const struct word *w = &r->words[from];
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (!is(w, kinds[i].name))
      continue;
    f->kind = i;
    if (!counted(r, from + 1 + kinds[i].numbers, kinds[i].form))
      return false;
    if (i == SL_SCRIPT_FILL_FILE)
      return copy_path(r, w + 1, f->path);
    uint64_t *numbers[] = {i == SL_SCRIPT_FILL_RANDF ? &f->seed : &f->value, &f->seed};
    for (unsigned k = 0; k < kinds[i].numbers; k++)
      if (!whole(r, w + 1 + k, k == 0 && i != SL_SCRIPT_FILL_RANDF ? UINT32_MAX : UINT64_MAX, numbers[k]))
        return false;
    return i != SL_SCRIPT_FILL_RANDU || (uint32_t)f->value != 0 ||
           wrong(r, w[1].column, "the modulus of randu must not be 0");
  }
  return wrong(r, w->column, "'%.*s' is not zero, iota, ramp, const, randu, randf, csr or file", SHOWN(w));
}

static bool buffer(struct reader *r)
{
  struct sl_script_step step = {0};
  const bool placed = r->count > 5 && is(&r->words[3], "at");
  if (r->count < 4)
    return counted(r, 4, "buffer NAME BYTES [at ADDRESS] INIT");
  if (!copy(r, &r->words[1], step.name, sizeof step.name) || !whole(r, &r->words[2], MOST_BUFFER, &step.bytes) ||
      (placed && !whole(r, &r->words[4], UINT64_MAX, &step.address)) || !fill(r, &step.fill, placed ? 5 : 3))
    return false;
  if (placed && step.address == 0)
    return wrong(r, r->words[4].column, "a buffer cannot be at address 0");
  if (r->words[2].text[0] == '-')
    return wrong(r, r->words[2].column, "the size of a buffer must not be negative");
  struct sl_script_step *to = add_step(r, SL_SCRIPT_STEP_BUFFER);
  if (to == NULL)
    return false;
  step.line = r->line;
  *to = step;
  return true;
}

static bool add_module(struct reader *r, bool main)
{
  struct sl_script *s = r->script;
  if (!SL_GROW(s->modules, s->module_count)) {
    sl_no_memory(r->err, (s->module_count + 1) * sizeof *s->modules);
    return r->failed = true, false;
  }
  if (!copy_path(r, &r->words[1], s->modules[s->module_count]))
    return false;
  if (main) {
    s->main = s->module_count;
    memcpy(s->module, s->modules[s->main], sizeof s->module);
  }
  s->module_count++;
  return true;
}

/* A variable of the module that the script named last. */
static bool variable(struct reader *r)
{
  if (r->count < 3)
    return counted(r, 3, "variable NAME INIT");
  if (r->script->module_count == 0)
    return wrong(r, r->words[1].column, "name a module above: ptx FILE or module FILE");
  struct sl_script_step *step = add_step(r, SL_SCRIPT_STEP_VARIABLE);
  if (step == NULL)
    return false;
  step->buffer = r->script->module_count - 1;
  return copy(r, &r->words[1], step->name, sizeof step->name) && fill(r, &step->fill, 2);
}

static bool real_argument(struct reader *r, const struct word *w, struct sl_script_argument *a)
{
  char text[64], *end;
  if (w->length == 0 || w->length >= sizeof text)
    return wrong(r, w->column, "'%.*s' is not a number", SHOWN(w));
  memcpy(text, w->text, w->length);
  text[w->length] = '\0';
  const double value = strtod(text, &end);
  if (*end != '\0')
    return wrong(r, w->column, "'%.*s' is not a number", SHOWN(w));
  if (a->type == SL_PTX_F32) {
    const float near = (float)value;
    memcpy(&a->bits, &near, sizeof near);
  } else
    memcpy(&a->bits, &value, sizeof value);
  return true;
}

static bool buffer_argument(struct reader *r, struct word w, struct sl_script_argument *a)
{
  const char *plus = memchr(w.text, '+', w.length);
  a->bits = 0;
  if (plus != NULL) {
    const size_t length = (size_t)(plus - w.text);
    const struct word offset = {plus + 1, w.length - length - 1, w.column + (uint32_t)length + 1};
    if (!whole(r, &offset, MOST_BUFFER, &a->bits))
      return false;
    w.length = length;
  }
  return find_buffer(r, &w, &a->buffer);
}

static unsigned digit_of(char c)
{
  static const char digits[] = "0123456789abcdefABCDEF";
  const char *at = c != '\0' ? strchr(digits, c) : NULL;
  const unsigned value = at != NULL ? (unsigned)(at - digits) : 99;
  return value < 16 ? value : value - 6;
}

/* All bytes of a parameter, in hexadecimal. */
static bool packed_argument(struct reader *r, const struct word *w, struct sl_script_argument *a)
{
  enum { MOST = 8192 };
  a->size = (uint32_t)(w->length / 2);
  if (w->length == 0 || w->length % 2 != 0 || w->length > 2 * MOST)
    return wrong(r, w->column, "the bytes of a parameter are 2 to %d hexadecimal digits, two for each", 2 * MOST);
  a->packed = malloc(a->size);
  if (a->packed == NULL) {
    sl_no_memory(r->err, a->size);
    return r->failed = true, false;
  }
  for (size_t i = 0; i < w->length; i += 2) {
    const unsigned high = digit_of(w->text[i]), low = digit_of(w->text[i + 1]);
    if (high > 15 || low > 15)
      return wrong(r, w->column, "'%.*s' is not hexadecimal", SHOWN(w));
    a->packed[i / 2] = (uint8_t)(16 * high + low);
  }
  return true;
}

/* buf:NAME+OFFSET, u32:5 etc. */
static bool argument(struct reader *r, const struct word *w, struct sl_script_argument *a)
{
  static const struct {
    const char *name;
    enum sl_ptx_type type;
  } types[] = {{"buf", SL_PTX_NO_TYPE}, {"u8", SL_PTX_U8},   {"u16", SL_PTX_U16}, {"u32", SL_PTX_U32},
               {"s32", SL_PTX_S32},     {"u64", SL_PTX_U64}, {"s64", SL_PTX_S64}, {"f32", SL_PTX_F32},
               {"f64", SL_PTX_F64},     {"bytes", SL_PTX_B8}};
  const char *colon = memchr(w->text, ':', w->length);
  const size_t length = colon != NULL ? (size_t)(colon - w->text) : w->length;
  const struct word type = {w->text, length, w->column};
  for (size_t i = 0; colon != NULL && i < sizeof types / sizeof *types; i++) {
    if (!is(&type, types[i].name))
      continue;
    const struct word value = {colon + 1, w->length - length - 1, w->column + (uint32_t)length + 1};
    *a = (struct sl_script_argument){.type = types[i].type, .column = w->column};
    if (types[i].type == SL_PTX_NO_TYPE)
      return buffer_argument(r, value, a);
    if (types[i].type == SL_PTX_B8)
      return packed_argument(r, &value, a);
    if (types[i].type == SL_PTX_F32 || types[i].type == SL_PTX_F64)
      return real_argument(r, &value, a);
    return whole(r, &value, UINT64_MAX >> (64 - 8 * sl_ptx_type_bytes(types[i].type)), &a->bits);
  }
  return wrong(r, w->column,
               "'%.*s' is not an argument: buf:NAME, buf:NAME+OFFSET, u32:N, s32:N, u64:N, f32:X, f64:X or bytes:HEX",
               SHOWN(w));
}

static bool sizes(struct reader *r, struct sl_script_step *step)
{
  static const uint32_t most[] = {INT32_MAX, 65535, 65535, 1024, 1024, 64};
  uint64_t value;
  for (unsigned i = 0; i < 6; i++) {
    const struct word *w = &r->words[2 + i];
    if (!whole(r, w, most[i], &value))
      return false;
    if (value == 0 || w->text[0] == '-')
      return wrong(r, w->column, "a size of a grid or a block must be at least 1");
    *(i < 3 ? &step->grid[i] : &step->block[i - 3]) = (uint32_t)value;
  }
  if (step->block[0] * step->block[1] * step->block[2] > 1024)
    return wrong(r, r->words[5].column, "a block has at most 1024 threads");
  return whole(r, &r->words[8], 96 * 1024, &step->bytes);
}

/* {buf:NAME u32:5}: the members of a struct parameter. */
static bool arguments(struct reader *r, struct sl_script_step *step)
{
  bool member = false;
  for (unsigned i = 9; i < r->count; i++) {
    struct word w = r->words[i];
    const bool opens = w.text[0] == '{';
    if (opens && member)
      return wrong(r, w.column, "write a struct within a struct as its members");
    member |= opens;
    w = (struct word){w.text + opens, w.length - opens, w.column + opens};
    const bool closes = w.length > 0 && w.text[w.length - 1] == '}';
    w.length -= closes;
    if (closes && !member)
      return wrong(r, w.column, "'}' has no matching '{'");
    if (w.length > 0) {
      struct sl_script_argument *a = &step->arguments[step->argument_count];
      step->argument_count++; /* also of a failure: it may own memory */
      if (!argument(r, &w, a))
        return false;
      a->parameter = step->parameter_count;
      a->member = member;
    }
    member &= !closes;
    step->parameter_count += !member;
    if (step->parameter_count > SL_SCRIPT_ARGUMENTS)
      return wrong(r, w.column, "a launch has at most %d arguments", SL_SCRIPT_ARGUMENTS);
  }
  return !member || wrong(r, r->words[r->count - 1].column, "the struct's '}' is missing");
}

static bool launch(struct reader *r)
{
  if (r->count < 9)
    return counted(r, 9, "launch KERNEL gx gy gz bx by bz SHARED ARGUMENT...");
  struct sl_script_step *step = add_step(r, SL_SCRIPT_STEP_LAUNCH);
  if (step == NULL || !copy(r, &r->words[1], step->name, sizeof step->name) || !sizes(r, step))
    return false;
  for (unsigned i = 0; i < r->regs_count; i++)
    if (is(&r->regs[i].kernel, step->name))
      step->regs = r->regs[i].regs;
  step->arguments = calloc(r->count - 9 + 1, sizeof *step->arguments);
  if (step->arguments == NULL) {
    sl_no_memory(r->err, r->count * sizeof *step->arguments);
    return r->failed = true, false;
  }
  return arguments(r, step);
}

/* u8x4 etc.: the type of a channel, with n before its size if it is normalised, and the number of channels. */
static bool format(struct reader *r, const struct word *w, struct sl_ptx_texture *t)
{
  static const struct {
    const char *name;
    enum sl_ptx_type type;
    bool normalised;
  } types[] = {{"u8", SL_PTX_U8, false},   {"s8", SL_PTX_S8, false},   {"u16", SL_PTX_U16, false},
               {"s16", SL_PTX_S16, false}, {"u32", SL_PTX_U32, false}, {"s32", SL_PTX_S32, false},
               {"f32", SL_PTX_F32, false}, {"un8", SL_PTX_U8, true},   {"sn8", SL_PTX_S8, true},
               {"un16", SL_PTX_U16, true}, {"sn16", SL_PTX_S16, true}};
  static const char *const channels[] = {"", "x2", "", "x4"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    for (unsigned n = 0; n < 4; n++) {
      char name[16];
      snprintf(name, sizeof name, "%s%s", types[i].name, channels[n]);
      if (n != 2 && is(w, name)) {
        t->type = types[i].type;
        t->normalised = types[i].normalised;
        t->channels = (uint8_t)(n + 1);
        return true;
      }
    }
  return wrong(r, w->column,
               "'%.*s' is not a format: u8 s8 u16 s16 u32 s32 f32, un8 sn8 un16 sn16, or one with x2 or x4", SHOWN(w));
}

static bool texture(struct reader *r)
{
  enum { MOST = 1 << 27 };
  struct sl_script_argument a = {0};
  uint64_t size[2];
  if (r->count < 6)
    return counted(r, 6, "texture NAME buf:BUFFER WIDTH HEIGHT FORMAT [OPTION...]");
  const struct word *from = &r->words[2];
  if (from->length < 4 || memcmp(from->text, "buf:", 4) != 0)
    return wrong(r, from->column, "'%.*s' is not a buffer: buf:NAME or buf:NAME+OFFSET", SHOWN(from));
  if (!argument(r, from, &a))
    return false;
  for (unsigned i = 0; i < 2; i++) {
    const struct word *w = &r->words[3 + i];
    if (!whole(r, w, MOST, &size[i]))
      return false;
    if (size[i] == 0 || w->text[0] == '-')
      return wrong(r, w->column, "a texture must be at least 1 wide and high");
  }
  struct sl_ptx_texture t = {.address = a.bits, .width = (uint32_t)size[0], .height = (uint32_t)size[1]};
  if (!format(r, &r->words[5], &t))
    return false;
  for (unsigned i = 6; i < r->count; i++) {
    char option[32];
    if (!copy(r, &r->words[i], option, sizeof option) || !sl_script_texture_option(&t, option))
      return wrong(r, r->words[i].column, "'%.*s' is not linear, unit, depth=N, pitch=N, or x=, y= or z= and a mode",
                   SHOWN(&r->words[i]));
  }
  if (sl_script_texture_end(&t) > r->script->steps[a.buffer].bytes)
    return wrong(r, from->column, "the buffer ends before the texture: check its size, the offset and the format");
  if (a.bits % (sl_ptx_type_bytes(t.type) * t.channels) != 0)
    return wrong(r, from->column, "the offset is not a multiple of the texel size");
  struct sl_script_step *step = add_step(r, SL_SCRIPT_STEP_TEXTURE);
  if (step == NULL)
    return false;
  step->buffer = a.buffer;
  step->texture = t;
  return copy(r, &r->words[1], step->name, sizeof step->name);
}

static bool regs(struct reader *r)
{
  uint64_t value;
  if (!counted(r, 3, "regs KERNEL REGISTERS") || !whole(r, &r->words[2], 255, &value))
    return false;
  if (r->regs_count == sizeof r->regs / sizeof *r->regs)
    return wrong(r, 1, "a launch script has at most 16 regs statements");
  r->regs[r->regs_count].kernel = r->words[1];
  r->regs[r->regs_count++].regs = (uint32_t)value;
  return true;
}

/* Statements about a buffer: its name and at most one further word. */
static bool about_buffer(struct reader *r, enum sl_script_step_kind kind, unsigned count, const char *form)
{
  uint32_t index = 0;
  if (!counted(r, count, form) || !find_buffer(r, &r->words[1], &index))
    return false;
  struct sl_script_step *step = add_step(r, kind);
  if (step == NULL)
    return false;
  step->buffer = index;
  memcpy(step->name, r->script->steps[index].name, sizeof step->name);
  if (kind == SL_SCRIPT_STEP_DUMP)
    return copy_path(r, &r->words[2], step->path);
  if (kind == SL_SCRIPT_STEP_MEMSET)
    return whole(r, &r->words[2], UINT8_MAX, &step->value);
  if (kind == SL_SCRIPT_STEP_SUM)
    return true;
  char text[32];
  snprintf(text, sizeof text, "0x%.*s", SHOWN(&r->words[2]));
  const struct word hex = {text, strlen(text), r->words[2].column};
  return (r->words[2].length == 16 && whole(r, &hex, UINT64_MAX, &step->value)) ||
         wrong(r, hex.column, "a checksum has 16 hexadecimal digits, as sum prints them");
}

static bool statement(struct reader *r)
{
  const struct word *w = &r->words[0];
  if (r->count == 0)
    return true;
  if (is(w, "ptx") || is(w, "elf")) {
    r->script->elf = is(w, "elf");
    return counted(r, 2, r->script->elf ? "elf FILE" : "ptx FILE") &&
           (r->script->module[0] == '\0' || wrong(r, w->column, "a launch script has only one statement ptx or elf")) &&
           add_module(r, true);
  }
  if (is(w, "module"))
    return counted(r, 2, "module FILE") && add_module(r, false);
  if (is(w, "variable"))
    return variable(r);
  if (is(w, "buffer"))
    return buffer(r);
  if (is(w, "launch"))
    return launch(r);
  if (is(w, "texture"))
    return texture(r);
  if (is(w, "regs"))
    return regs(r);
  if (is(w, "sum"))
    return about_buffer(r, SL_SCRIPT_STEP_SUM, 2, "sum BUFFER");
  if (is(w, "expect"))
    return about_buffer(r, SL_SCRIPT_STEP_EXPECT, 3, "expect BUFFER SUM");
  if (is(w, "dump"))
    return about_buffer(r, SL_SCRIPT_STEP_DUMP, 3, "dump BUFFER PATH");
  if (is(w, "memset"))
    return about_buffer(r, SL_SCRIPT_STEP_MEMSET, 3, "memset BUFFER BYTE");
  return wrong(
      r, w->column,
      "'%.*s' is not a statement; the statements are ptx, elf, module, buffer, variable, memset, texture, regs, "
      "launch, sum, expect and dump",
      SHOWN(w));
}

enum sl_status sl_script_parse(struct sl_script *script, const char *text, size_t length, const char *path,
                               struct sl_error *err)
{
  struct sl_error local;
  struct reader r = {.script = script, .err = err != NULL ? err : &local};
  *script = (struct sl_script){0};
  snprintf(script->path, sizeof script->path, "%s", path);
  for (size_t at = 0; at < length && !r.failed;) {
    const char *end = memchr(text + at, '\n', length - at);
    const size_t size = end != NULL ? (size_t)(end - text) - at : length - at;
    r.line++;
    if (split(&r, text + at, size))
      (void)statement(&r);
    at += size + 1;
  }
  if (!r.failed && script->module[0] == '\0')
    (void)wrong(&r, 1, "the statement ptx FILE or elf FILE is missing");
  if (!r.failed && script->elf && script->module_count > 1)
    (void)wrong(&r, 1, "a script with elf FILE has no further modules");
  if (!r.failed)
    return SL_OK;
  sl_script_free(script);
  return r.err->code;
}

enum sl_status sl_script_load(struct sl_script *script, const char *path, struct sl_error *err)
{
  char *text;
  size_t length;
  *script = (struct sl_script){0};
  enum sl_status code = sl_file_bytes_read(path, &text, &length, err);
  if (code != SL_OK)
    return code;
  code = sl_script_parse(script, text, length, path, err);
  free(text);
  return code;
}

void sl_script_free(struct sl_script *script)
{
  for (unsigned i = 0; i < script->step_count; i++) {
    for (unsigned k = 0; k < script->steps[i].argument_count; k++)
      free(script->steps[i].arguments[k].packed);
    free(script->steps[i].arguments);
  }
  free(script->steps);
  free(script->modules);
  script->modules = NULL;
  script->module_count = 0;
  script->steps = NULL;
  script->step_count = 0;
}

bool sl_is_script(const char *path)
{
  const char *dot = strrchr(path, '.');
  return dot != NULL && strcmp(dot, ".launch") == 0;
}
