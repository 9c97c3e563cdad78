#include "debug/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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
