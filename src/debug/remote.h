/* What the stubs for RISC-V and for PTX share: packets of gdb's remote serial protocol, its connection, conditions of
 * breakpoints, and who writes a trace. A packet is $DATA#SUM, acknowledged by + until QStartNoAckMode. */
#ifndef SL_DEBUG_REMOTE_H
#define SL_DEBUG_REMOTE_H

#include "base/error.h"
#include "base/types.h"
#include "isa/probe.h"

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

/* Waits for gdb on a port of this computer. */

/* Listens on a port; 0: any free one. Stores the socket, and the port. SL_USAGE: it cannot. */
enum sl_status sl_debug_listen(uint64_t *port, int *listener, struct sl_error *err);

/* Waits for a connection, and closes the listener. */
enum sl_status sl_debug_accept(int listener, int *connection, struct sl_error *err);

/* Agent expressions: conditions of breakpoints as gdb's bytecode (the manual's appendix "The GDB Agent Expression
 * Mechanism"). */

/* The thread for which a condition is evaluated. */
struct sl_agent_thread {
  /* Reads a register by its number in the target description. Returns its bytes, 0: there is none. */
  unsigned (*read)(const void *context, unsigned thread, uint64_t number, uint64_t *value);
  void (*load)(const void *context, unsigned thread, uint64_t address, uint8_t *bytes, size_t size);
  const void *context;
  unsigned thread;
};

/* True also if the code is not understood: gdb then evaluates the condition itself. */
bool sl_agent_holds(const struct sl_agent_thread *thread, const uint8_t *code, size_t size);

/* What writes the trace of gdb's `monitor trace`. */

/* An observer of a part of the run. */
struct sl_debug_tracer {
  /* Opens the file; the trace's observer is in `probes`. */
  enum sl_status (*open)(void *context, const char *path, struct sl_probes *probes, struct sl_error *err);
  enum sl_status (*close)(void *context, uint64_t *instructions, struct sl_error *err);
  void *context;
};

#endif
