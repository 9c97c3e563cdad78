#include "host/host_device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"

enum { UNIT = 16, FORMAT_MOST = 4096, TEXT_MOST = 1 << 16, FIELD_MOST = 4096 };

/* ---- formats ----------------------------------------------------------------------------------------------------- */

/* Where a text goes; only `size` bytes are kept. */
struct sink {
  char *to;
  size_t size, length;
};

static void put(struct sink *s, const char *text, size_t length)
{
  if (s->length < s->size)
    memcpy(s->to + s->length, text, length < s->size - s->length ? length : s->size - s->length);
  s->length += length;
}

/* A conversion: "%-8.3llx", or of a vector "%v4hlf". */
struct conversion {
  char flags[8];
  int width, precision; /* -1: none */
  bool wide;            /* 64 bits: ll, l, j, z, t */
  unsigned elements;    /* of a vector: 2, 3, 4, 8 or 16; 0: a number */
  unsigned bytes;       /* of an element */
  char kind;
};

/* A packed argument, at its natural alignment. */
static bool next_argument(const struct sl_host_arguments *a, uint64_t *offset, void *to, size_t bytes)
{
  *offset = (*offset + bytes - 1) / bytes * bytes;
  const bool read = a->read(a->context, *offset, to, bytes);
  *offset += bytes;
  return read;
}

static int field(const char **at, const struct sl_host_arguments *a, uint64_t *offset)
{
  int value = 0;
  if (**at == '*') {
    ++*at;
    return next_argument(a, offset, &value, sizeof value) ? value : 0;
  }
  for (; **at >= '0' && **at <= '9'; ++*at)
    value = value < FIELD_MOST ? 10 * value + (**at - '0') : value;
  return value;
}

/* Parses what follows a '%'. */
static struct conversion parse(const char **at, const struct sl_host_arguments *a, uint64_t *offset)
{
  struct conversion c = {.width = -1, .precision = -1};
  size_t flags = 0;
  for (; **at != '\0' && strchr("-+ #0", **at) != NULL; ++*at)
    if (flags < sizeof c.flags - 2 && strchr(c.flags, **at) == NULL)
      c.flags[flags++] = **at;
  if (**at == '*' || (**at >= '1' && **at <= '9'))
    c.width = field(at, a, offset);
  if (c.width < -1) {
    c.flags[flags++] = '-';
    c.width = -c.width;
  }
  if (**at == '.') {
    ++*at;
    c.precision = field(at, a, offset);
  }
  if (**at == 'v') {
    ++*at;
    const int elements = field(at, a, offset);
    c.elements = elements > 0 && elements <= 16 ? (unsigned)elements : 0;
  }
  c.bytes = strncmp(*at, "hh", 2) == 0 ? 1 : strncmp(*at, "hl", 2) == 0 ? 4 : **at == 'h' ? 2 : **at == 'l' ? 8 : 4;
  for (; **at != '\0' && strchr("hljztL", **at) != NULL; ++*at)
    c.wide = c.wide || strchr("ljzt", **at) != NULL;
  c.width = c.width > FIELD_MOST ? FIELD_MOST : c.width;
  c.precision = c.precision > FIELD_MOST ? FIELD_MOST : c.precision;
  c.kind = **at;
  *at += **at != '\0';
  return c;
}

/* The conversion for the host's printf, with a modifier of its own. */
static void respell(const struct conversion *c, const char *modifier, char text[64])
{
  char width[16] = "", precision[16] = "";
  if (c->width >= 0)
    snprintf(width, sizeof width, "%d", c->width);
  if (c->precision >= 0)
    snprintf(precision, sizeof precision, ".%d", c->precision);
  snprintf(text, 64, "%%%s%s%s%s%c", c->flags, width, precision, modifier, c->kind);
}

static void put_text(struct sink *s, const struct conversion *c, const struct sl_host_arguments *a, uint64_t address)
{
  char *text = malloc(TEXT_MOST), *whole = malloc(TEXT_MOST + FIELD_MOST), format[64];
  size_t n = 0;
  const size_t most = c->precision >= 0 && c->precision < TEXT_MOST ? (size_t)c->precision : TEXT_MOST - 1;
  if (text != NULL && whole != NULL) {
    while (n < most && a->read_text(a->context, address, n, &text[n]) && text[n] != '\0')
      n++;
    text[n] = '\0';
    respell(c, "", format);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int length = snprintf(whole, TEXT_MOST + FIELD_MOST, format, address != 0 ? text : "(null)");
#pragma GCC diagnostic pop
    put(s, whole, length > 0 ? (size_t)length : 0);
  }
  free(text);
  free(whole);
}

/* Puts a number: its bits, sign-extended if the conversion is of a signed one, or those of a double. */
static void put_number(struct sink *s, const struct conversion *c, uint64_t bits)
{
  char format[64], text[2 * FIELD_MOST + 400];
  double real;
  int length = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  switch (c->kind) {
  case 'd':
  case 'i':
    respell(c, PRId64[0] == 'l' ? "l" : "ll", format);
    length = snprintf(text, sizeof text, format, (int64_t)bits);
    break;
  case 'u':
  case 'o':
  case 'x':
  case 'X':
    respell(c, PRId64[0] == 'l' ? "l" : "ll", format);
    length = snprintf(text, sizeof text, format, bits);
    break;
  case 'c':
    respell(c, "", format);
    length = snprintf(text, sizeof text, format, (int)bits);
    break;
  case 'p': length = snprintf(text, sizeof text, "0x%" PRIx64, bits); break;
  default:
    memcpy(&real, &bits, sizeof real);
    respell(c, "", format);
    length = snprintf(text, sizeof text, format, real);
    break;
  }
#pragma GCC diagnostic pop
  if (length > 0)
    put(s, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

static uint64_t sign_extended(uint64_t bits, unsigned bytes)
{
  const unsigned shift = 64 - 8 * bytes;
  return (uint64_t)((int64_t)(bits << shift) >> shift);
}

/* A vector of 3 has the room of 4. Elements are not promoted. */
static void put_vector(struct sink *s, const struct conversion *c, const struct sl_host_arguments *a, uint64_t *offset)
{
  const unsigned room = (c->elements == 3 ? 4 : c->elements) * c->bytes;
  const bool whole = strchr("diuoxXc", c->kind) != NULL;
  *offset = (*offset + room - 1) / room * room;
  for (unsigned i = 0; i < c->elements; i++) {
    uint64_t bits = 0;
    float single;
    double real;
    a->read(a->context, *offset + (uint64_t)i * c->bytes, &bits, c->bytes);
    if (whole && (c->kind == 'd' || c->kind == 'i'))
      bits = sign_extended(bits, c->bytes);
    if (!whole && c->bytes == 4) {
      memcpy(&single, &bits, sizeof single);
      real = (double)single;
      memcpy(&bits, &real, sizeof bits);
    }
    if (i > 0)
      put(s, ",", 1);
    put_number(s, c, bits);
  }
  *offset += room;
}

static void convert(struct sink *s, const struct conversion *c, const struct sl_host_arguments *a, uint64_t *offset)
{
  uint64_t bits = 0;
  if (c->kind == '\0' || strchr("diuoxXcpfFeEgGaAs%", c->kind) == NULL)
    return; /* %n and unknown conversions print nothing */
  if (c->kind == '%') {
    put(s, "%", 1);
    return;
  }
  if (c->elements > 0 && c->kind != 's' && c->kind != 'p') {
    put_vector(s, c, a, offset);
    return;
  }
  const bool narrow = c->kind == 'c' || (strchr("diuoxX", c->kind) != NULL && !c->wide);
  next_argument(a, offset, &bits, narrow ? 4 : 8);
  if (c->kind == 's')
    put_text(s, c, a, bits);
  else
    put_number(s, c, narrow && (c->kind == 'd' || c->kind == 'i') ? sign_extended(bits, 4) : bits);
}

size_t sl_host_format(const char *format, const struct sl_host_arguments *a, char *to, size_t size)
{
  struct sink s = {.to = to, .size = size};
  uint64_t offset = 0;
  for (const char *at = format; *at != '\0';) {
    const size_t plain = strcspn(at, "%");
    put(&s, at, plain);
    at += plain;
    if (*at == '\0')
      break;
    at++;
    const struct conversion c = parse(&at, a, &offset);
    convert(&s, &c, a, &offset);
  }
  return s.length;
}

/* ---- printf ------------------------------------------------------------------------------------------------------ */

struct printing {
  const struct sl_ptx_service_call *call;
  uint64_t window; /* of texts */
  unsigned lane;
};

static bool read_argument(void *context, uint64_t offset, void *to, size_t bytes)
{
  const struct printing *p = context;
  return sl_ptx_service_read(p->call, p->lane, p->call->argument[1][p->lane] + offset, to, bytes);
}

static bool read_character(void *context, uint64_t address, uint64_t offset, char *to)
{
  const struct printing *p = context;
  return (address != 0 || p->window != 0) && sl_ptx_service_read(p->call, p->lane, p->window + address + offset, to, 1);
}

static void print(struct sl_host_services *s, struct sl_ptx_service_call *call, unsigned lane)
{
  struct printing p = {call, s->constant_texts ? SL_PTX_CONST_WINDOW : 0, lane};
  const struct sl_host_arguments a = {&p, read_argument, read_character};
  char format[FORMAT_MOST];
  size_t n = 0;
  const uint64_t address = call->argument[0][lane];
  while (n < sizeof format - 1 && read_character(&p, address, n, &format[n]) && format[n] != '\0')
    n++;
  format[n] = '\0';
  if (s->text == NULL && (s->text = malloc(s->room)) == NULL)
    s->room = 0;
  const size_t length = sl_host_format(format, &a, s->text + s->used, s->room - s->used);
  if (length > s->room - s->used)
    s->dropped++;
  else
    s->used += length;
  call->result[lane] = (uint64_t)length;
}

/* ---- malloc and free --------------------------------------------------------------------------------------------- */

static uint64_t take(struct sl_host_services *s, uint64_t bytes)
{
  unsigned class = 0;
  while (class < SL_HOST_CLASSES && (uint64_t)UNIT << class < bytes)
    class ++;
  if (class == SL_HOST_CLASSES || bytes == 0 || s->class_at == NULL)
    return 0;
  struct sl_host_free *f = &s->free[class];
  uint64_t address = f->count > 0 ? f->address[--f->count] : 0;
  if (address == 0) {
    if ((uint64_t)UNIT << class > s->end - s->next)
      return 0;
    address = s->next;
    s->next += (uint64_t)UNIT << class;
  }
  s->class_at[(address - s->first) / UNIT] = (uint8_t)(class + 1);
  return address;
}

/* Ignores addresses that malloc has not returned. */
static void give_back(struct sl_host_services *s, uint64_t address)
{
  if (address < s->first || address >= s->next || (address - s->first) % UNIT != 0)
    return;
  uint8_t *class = &s->class_at[(address - s->first) / UNIT];
  if (*class == 0)
    return;
  struct sl_host_free *f = &s->free[*class - 1];
  *class = 0;
  if (f->count == f->room) {
    const size_t room = 2 * f->room + 64;
    uint64_t *more = realloc(f->address, room * sizeof *more);
    if (more == NULL)
      return; /* the block is lost */
    f->address = more;
    f->room = room;
  }
  f->address[f->count++] = address;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static void serve(void *context, struct sl_ptx_service_call *call)
{
  struct sl_host_services *s = context;
  for (uint32_t rest = call->lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    if (call->service == SL_PTX_SERVICE_VPRINTF)
      print(s, call, lane);
    else if (call->service == SL_PTX_SERVICE_MALLOC)
      call->result[lane] = take(s, call->argument[0][lane]);
    else if (call->service == SL_PTX_SERVICE_FREE)
      give_back(s, call->argument[0][lane]);
  }
}

void sl_host_services_init(struct sl_host_services *services, size_t room)
{
  *services = (struct sl_host_services){.services = {services, serve}, .room = room};
}

void sl_host_services_free(struct sl_host_services *services)
{
  for (unsigned i = 0; i < SL_HOST_CLASSES; i++)
    free(services->free[i].address);
  free(services->class_at);
  free(services->text);
}

enum sl_status sl_host_services_heap(struct sl_host_services *services, uint64_t first, uint64_t bytes,
                                     struct sl_error *err)
{
  services->class_at = calloc(bytes / UNIT + 1, 1);
  if (services->class_at == NULL)
    return sl_no_memory(err, bytes / UNIT);
  services->first = services->next = first;
  services->end = first + bytes;
  return SL_OK;
}

/* ---- checkpoints of a launch ------------------------------------------------------------------------------------- */

static void free_archive(struct sl_archive *t, struct sl_host_free *f)
{
  SL_ARCHIVE(t, f->count);
  if (!sl_archive_expect(t, f->count <= (t->size - t->at) / sizeof *f->address)) {
    f->count = 0;
    return;
  }
  if (sl_archive_reads(t) && f->count > f->room) {
    uint64_t *more = realloc(f->address, f->count * sizeof *more);
    if (!sl_archive_memory(t, more != NULL)) {
      f->count = 0;
      return;
    }
    f->address = more;
    f->room = f->count;
  }
  sl_archive_bytes(t, f->address, f->count * sizeof *f->address);
}

void sl_host_services_archive(struct sl_host_services *s, struct sl_archive *t)
{
  const uint64_t units = (s->end - s->first) / UNIT;
  SL_ARCHIVE(t, s->used);
  SL_ARCHIVE(t, s->dropped);
  SL_ARCHIVE(t, s->next);
  if (!sl_archive_expect(t, s->used <= (s->text != NULL ? s->room : 0) && s->next >= s->first && s->next <= s->end)) {
    s->used = 0;
    s->next = s->first;
    return;
  }
  sl_archive_bytes(t, s->text, s->used);
  const uint64_t begun = (s->next - s->first) / UNIT;
  if (s->class_at == NULL)
    return;
  sl_archive_bytes(t, s->class_at, begun);
  if (sl_archive_reads(t))
    memset(s->class_at + begun, 0, units - begun);
  for (unsigned i = 0; i < SL_HOST_CLASSES; i++)
    free_archive(t, &s->free[i]);
}
