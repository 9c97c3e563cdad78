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
