/* Waits for gdb on a port of this computer. */
#ifndef SL_DEBUG_LISTEN_H
#define SL_DEBUG_LISTEN_H

#include "base/error.h"
#include "base/types.h"

/* Listens on a port; 0: any free one. Stores the socket, and the port. SL_USAGE: it cannot. */
enum sl_status sl_debug_listen(uint64_t *port, int *listener, struct sl_error *err);

/* Waits for a connection, and closes the listener. */
enum sl_status sl_debug_accept(int listener, int *connection, struct sl_error *err);

#endif
