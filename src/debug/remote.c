#include "debug/remote.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { INTERRUPT = 3, ESCAPE = '}', ESCAPED = 0x20 };

void sl_reply_clear(struct sl_reply *reply)
{
  free(reply->text);
  *reply = (struct sl_reply){0};
}

static bool make_room(struct sl_reply *reply, size_t size)
{
  if (reply->failed || reply->room - reply->size > size)
    return !reply->failed;
  const size_t room = 2 * reply->room + size + 256;
  char *text = realloc(reply->text, room);
  reply->failed = text == NULL;
  if (text == NULL)
    return false;
  reply->text = text;
  reply->room = room;
  return true;
}

void sl_reply_bytes(struct sl_reply *reply, const void *bytes, size_t size)
{
  if (size == 0 || !make_room(reply, size))
    return;
  memcpy(reply->text + reply->size, bytes, size);
  reply->size += size;
  reply->text[reply->size] = '\0';
}

void sl_reply_print(struct sl_reply *reply, const char *format, ...)
{
  char text[2048];
  va_list args;
  va_start(args, format);
  const int size = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (size > 0)
    sl_reply_bytes(reply, text, (size_t)size < sizeof text ? (size_t)size : sizeof text - 1);
}

void sl_reply_hex(struct sl_reply *reply, const void *bytes, size_t size)
{
  static const char digits[] = "0123456789abcdef";
  const uint8_t *b = bytes;
  for (size_t i = 0; i < size; i++)
    sl_reply_bytes(reply, (const char[]){digits[b[i] >> 4], digits[b[i] & 15]}, 2);
}

static bool fill(struct sl_connection *c)
{
  ssize_t size;
  do
    size = read(c->in, c->buffer, sizeof c->buffer);
  while (size < 0 && errno == EINTR);
  c->closed = size <= 0;
  c->at = 0;
  c->end = size > 0 ? (size_t)size : 0;
  return !c->closed;
}

static bool next_byte(struct sl_connection *c, uint8_t *byte)
{
  if (c->at == c->end && !fill(c))
    return false;
  *byte = c->buffer[c->at++];
  return true;
}

static void write_all(struct sl_connection *c, const void *bytes, size_t size)
{
  const char *at = bytes;
  while (size > 0 && !c->closed) {
    ssize_t written = send(c->out, at, size, MSG_NOSIGNAL); /* gdb may have ended */
    if (written < 0 && errno == ENOTSOCK)
      written = write(c->out, at, size);
    if (written < 0 && errno == EINTR)
      continue;
    c->closed = written <= 0;
    if (written > 0) {
      at += written;
      size -= (size_t)written;
    }
  }
}

static int digit(char c)
{
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads up to the # and the two digits after it. Returns false if the packet is damaged: too long or of a wrong sum. */
static bool read_body(struct sl_connection *c)
{
  uint8_t byte = 0, sum = 0, check[2] = {0};
  bool escaped = false, fits = true;
  c->size = 0;
  while (next_byte(c, &byte) && byte != '#') {
    sum = (uint8_t)(sum + byte);
    if (!escaped && byte == ESCAPE) {
      escaped = true;
      continue;
    }
    if (c->size < SL_PACKET_MOST)
      c->packet[c->size++] = (char)(escaped ? byte ^ ESCAPED : byte);
    else
      fits = false;
    escaped = false;
  }
  c->packet[c->size] = '\0';
  if (c->closed || !next_byte(c, &check[0]) || !next_byte(c, &check[1]))
    return false;
  const int high = digit((char)check[0]), low = digit((char)check[1]);
  return fits && (c->no_acknowledgements || (high >= 0 && low >= 0 && high * 16 + low == sum));
}

bool sl_packet_read(struct sl_connection *c)
{
  uint8_t byte;
  while (!c->closed) {
    while (next_byte(c, &byte) && byte != '$')
      c->interrupted |= byte == INTERRUPT;
    if (c->closed)
      return false;
    const bool good = read_body(c);
    if (!c->no_acknowledgements && !c->closed)
      write_all(c, good ? "+" : "-", 1);
    if (good)
      return true;
  }
  return false;
}

void sl_packet_write(struct sl_connection *c, const char *data, size_t size)
{
  struct sl_reply *f = &c->frame;
  uint8_t sum = 0;
  f->size = 0;
  sl_reply_bytes(f, "$", 1);
  for (size_t i = 0; i < size; i++) {
    const bool escapes = data[i] == '#' || data[i] == '$' || data[i] == ESCAPE || data[i] == '*';
    const char pair[2] = {ESCAPE, (char)(data[i] ^ ESCAPED)};
    sl_reply_bytes(f, escapes ? pair : &data[i], escapes ? 2 : 1);
  }
  for (size_t i = 1; i < f->size; i++)
    sum = (uint8_t)(sum + (uint8_t)f->text[i]);
  sl_reply_print(f, "#%02x", sum);
  if (f->failed)
    c->closed = true;
  else
    write_all(c, f->text, f->size);
}

bool sl_packet_interrupted(struct sl_connection *c)
{
  struct pollfd file = {.fd = c->in, .events = POLLIN};
  while (c->at < c->end && c->buffer[c->at] != '$')
    c->interrupted |= c->buffer[c->at++] == INTERRUPT;
  if (c->at == c->end && !c->closed && poll(&file, 1, 0) > 0 && fill(c))
    while (c->at < c->end && c->buffer[c->at] != '$')
      c->interrupted |= c->buffer[c->at++] == INTERRUPT;
  const bool seen = c->interrupted || c->closed;
  c->interrupted = false;
  return seen;
}

bool sl_take_hex(const char **text, uint64_t *value)
{
  unsigned digits = 0;
  *value = 0;
  for (int d; (d = digit(**text)) >= 0; (*text)++, digits++)
    *value = *value << 4 | (unsigned)d;
  return digits > 0 && digits <= 16;
}

bool sl_take_char(const char **text, char c)
{
  const bool there = **text == c;
  *text += there;
  return there;
}

size_t sl_take_hex_bytes(const char **text, uint8_t *bytes, size_t room)
{
  size_t size = 0;
  for (; size < room && digit((*text)[0]) >= 0 && digit((*text)[1]) >= 0; *text += 2)
    bytes[size++] = (uint8_t)(digit((*text)[0]) << 4 | digit((*text)[1]));
  return size;
}

enum sl_status sl_debug_listen(uint64_t *port, int *listener, struct sl_error *err)
{
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
  socklen_t size = sizeof address;
  const int one = 1;
  *listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (*listener >= 0)
    setsockopt(*listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (*listener < 0 || bind(*listener, (struct sockaddr *)&address, size) != 0 || listen(*listener, 1) != 0 ||
      getsockname(*listener, (struct sockaddr *)&address, &size) != 0) {
    const int failure = errno;
    if (*listener >= 0)
      close(*listener);
    *listener = -1;
    return sl_fail(err, SL_USAGE, "cannot listen on port %" PRIu64 ": %s; choose another one with --port", *port,
                   strerror(failure));
  }
  *port = ntohs(address.sin_port);
  return SL_OK;
}

enum sl_status sl_debug_accept(int listener, int *connection, struct sl_error *err)
{
  do
    *connection = accept(listener, NULL, NULL);
  while (*connection < 0 && errno == EINTR);
  close(listener);
  return *connection >= 0 ? SL_OK : sl_fail(err, SL_USAGE, "no connection from gdb: %s", strerror(errno));
}

/* ---- conditions of breakpoints ----------------------------------------------------------------------------------- */

enum { STACK = 64, MOST_STEPS = 10000 };

enum {
  OP_ADD = 0x02,
  OP_SUB,
  OP_MUL,
  OP_DIV_SIGNED,
  OP_DIV_UNSIGNED,
  OP_REM_SIGNED,
  OP_REM_UNSIGNED,
  OP_LSH,
  OP_RSH_SIGNED,
  OP_RSH_UNSIGNED,
  OP_LOG_NOT = 0x0e,
  OP_BIT_AND,
  OP_BIT_OR,
  OP_BIT_XOR,
  OP_BIT_NOT,
  OP_EQUAL,
  OP_LESS_SIGNED,
  OP_LESS_UNSIGNED,
  OP_EXT,
  OP_REF8,
  OP_REF16,
  OP_REF32,
  OP_REF64,
  OP_IF_GOTO = 0x20,
  OP_GOTO,
  OP_CONST8,
  OP_CONST16,
  OP_CONST32,
  OP_CONST64,
  OP_REG,
  OP_END,
  OP_DUP,
  OP_POP,
  OP_ZERO_EXT,
  OP_SWAP,
  OP_PICK = 0x32,
  OP_ROT
};

struct agent {
  const struct sl_agent_thread *thread;
  const uint8_t *code;
  size_t size, at;
  uint64_t stack[STACK];
  unsigned depth;
  bool bad;
};

static uint64_t operand(struct agent *a, unsigned bytes)
{
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++) {
    if (a->at >= a->size) {
      a->bad = true;
      return 0;
    }
    value = value << 8 | a->code[a->at++];
  }
  return value;
}

static uint64_t pop(struct agent *a)
{
  if (a->depth == 0) {
    a->bad = true;
    return 0;
  }
  return a->stack[--a->depth];
}

static void push(struct agent *a, uint64_t value)
{
  if (a->depth == STACK)
    a->bad = true;
  else
    a->stack[a->depth++] = value;
}

static uint64_t divide(struct agent *a, unsigned op, uint64_t x, uint64_t y)
{
  const bool is_signed = op == OP_DIV_SIGNED || op == OP_REM_SIGNED;
  if (y == 0 || (is_signed && y == UINT64_MAX && x == (uint64_t)INT64_MIN)) {
    a->bad = true;
    return 0;
  }
  switch (op) {
  case OP_DIV_SIGNED: return (uint64_t)((int64_t)x / (int64_t)y);
  case OP_REM_SIGNED: return (uint64_t)((int64_t)x % (int64_t)y);
  case OP_DIV_UNSIGNED: return x / y;
  default: return x % y;
  }
}

static uint64_t shift(unsigned op, uint64_t x, uint64_t y)
{
  if (op == OP_RSH_SIGNED)
    return (uint64_t)((int64_t)x >> (y < 64 ? y : 63));
  return y >= 64 ? 0 : op == OP_LSH ? x << y : x >> y;
}

static void binary(struct agent *a, unsigned op)
{
  const uint64_t y = pop(a), x = pop(a);
  switch (op) {
  case OP_ADD: push(a, x + y); break;
  case OP_SUB: push(a, x - y); break;
  case OP_MUL: push(a, x * y); break;
  case OP_LSH:
  case OP_RSH_SIGNED:
  case OP_RSH_UNSIGNED: push(a, shift(op, x, y)); break;
  case OP_BIT_AND: push(a, x & y); break;
  case OP_BIT_OR: push(a, x | y); break;
  case OP_BIT_XOR: push(a, x ^ y); break;
  case OP_EQUAL: push(a, x == y); break;
  case OP_LESS_SIGNED: push(a, (int64_t)x < (int64_t)y); break;
  case OP_LESS_UNSIGNED: push(a, x < y); break;
  default: push(a, divide(a, op, x, y)); break;
  }
}

static void extend(struct agent *a, bool sign)
{
  const uint64_t bits = operand(a, 1), value = pop(a);
  if (bits == 0 || bits >= 64) {
    push(a, value);
    return;
  }
  const uint64_t low = value & ((UINT64_C(1) << bits) - 1), top = UINT64_C(1) << (bits - 1);
  push(a, sign ? (low ^ top) - top : low);
}

static void reference(struct agent *a, unsigned bytes)
{
  uint64_t value = 0;
  uint8_t memory[8] = {0};
  a->thread->load(a->thread->context, a->thread->thread, pop(a), memory, bytes);
  for (unsigned i = bytes; i-- > 0;)
    value = value << 8 | memory[i];
  push(a, value);
}

static void pick(struct agent *a, uint64_t n)
{
  if (n >= a->depth)
    a->bad = true;
  else
    push(a, a->stack[a->depth - 1 - n]);
}

static void read_register(struct agent *a)
{
  uint64_t value = 0;
  if (a->thread->read(a->thread->context, a->thread->thread, operand(a, 2), &value) == 0)
    a->bad = true;
  push(a, value);
}

static void jump(struct agent *a, bool taken, uint64_t to)
{
  if (taken)
    a->at = (size_t)to;
}

static void rotate(struct agent *a, unsigned op)
{
  const uint64_t z = pop(a), y = pop(a);
  const uint64_t x = op == OP_ROT ? pop(a) : 0;
  push(a, z);
  if (op == OP_ROT)
    push(a, x);
  push(a, y);
}

static void step(struct agent *a, unsigned op)
{
  switch (op) {
  case OP_LOG_NOT: push(a, pop(a) == 0); break;
  case OP_BIT_NOT: push(a, ~pop(a)); break;
  case OP_EXT:
  case OP_ZERO_EXT: extend(a, op == OP_EXT); break;
  case OP_REF8:
  case OP_REF16:
  case OP_REF32:
  case OP_REF64: reference(a, 1u << (op - OP_REF8)); break;
  case OP_IF_GOTO: {
    const uint64_t to = operand(a, 2);
    jump(a, pop(a) != 0, to);
    break;
  }
  case OP_GOTO: jump(a, true, operand(a, 2)); break;
  case OP_CONST8:
  case OP_CONST16:
  case OP_CONST32:
  case OP_CONST64: push(a, operand(a, 1u << (op - OP_CONST8))); break;
  case OP_REG: read_register(a); break;
  case OP_DUP: pick(a, 0); break;
  case OP_POP: pop(a); break;
  case OP_PICK: pick(a, operand(a, 1)); break;
  case OP_SWAP:
  case OP_ROT: rotate(a, op); break;
  default:
    if (op < OP_ADD || op > OP_LESS_UNSIGNED || (op > OP_RSH_UNSIGNED && op < OP_LOG_NOT))
      a->bad = true;
    else
      binary(a, op);
    break;
  }
}

bool sl_agent_holds(const struct sl_agent_thread *thread, const uint8_t *code, size_t size)
{
  struct agent a = {.thread = thread, .code = code, .size = size};
  for (unsigned steps = 0; steps < MOST_STEPS && !a.bad; steps++) {
    const unsigned op = (unsigned)operand(&a, 1);
    if (op == OP_END)
      return a.depth == 0 || a.bad || a.stack[a.depth - 1] != 0;
    if (!a.bad)
      step(&a, op);
  }
  return true;
}
