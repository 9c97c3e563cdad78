/* Packets of gdb's remote serial protocol: $DATA#SUM, acknowledged by + until QStartNoAckMode. */
#ifndef SL_DEBUG_PACKET_H
#define SL_DEBUG_PACKET_H

#include "base/types.h"

#include <stddef.h>

enum { SL_PACKET_MOST = 1 << 17, SL_PACKET_BUFFER = 1 << 16 };

/* A text that grows. */
struct sl_reply {
  char *text;
  size_t size, room;
  bool failed; /* out of memory */
};

void sl_reply_clear(struct sl_reply *reply);
void sl_reply_bytes(struct sl_reply *reply, const void *bytes, size_t size);
void sl_reply_print(struct sl_reply *reply, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sl_reply_hex(struct sl_reply *reply, const void *bytes, size_t size);

struct sl_connection {
  int in, out;
  bool no_acknowledgements;
  bool closed;
  bool interrupted; /* the byte 0x03 has arrived between packets */
  uint8_t buffer[SL_PACKET_BUFFER];
  size_t at, end;
  char packet[SL_PACKET_MOST + 1]; /* without escapes, with a 0 after it */
  size_t size;
  struct sl_reply frame;
};

/* Waits for a packet. Returns false if the connection is closed or broken. */
bool sl_packet_read(struct sl_connection *connection);

/* Sends a packet. */
void sl_packet_write(struct sl_connection *connection, const char *data, size_t size);

/* Whether gdb has asked to stop a run, or has gone. Does not wait. */
bool sl_packet_interrupted(struct sl_connection *connection);

/* Parsers that advance the text. A number has at least one hexadecimal digit and at most 64 bits. */
bool sl_take_hex(const char **text, uint64_t *value);
bool sl_take_char(const char **text, char c);
/* Decodes two digits per byte; returns the number of bytes. */
size_t sl_take_hex_bytes(const char **text, uint8_t *bytes, size_t room);

#endif
