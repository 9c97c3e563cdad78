/* gdb's `monitor` commands for launch scripts of PTX: what the machine knows and gdb has no word for. */
#include <string.h>

#include "debug/ptx_debug.h"

void sl_ptx_monitor(struct sl_ptx_stub *s, const char *command, struct sl_reply *to)
{
  const char *argument = command + strcspn(command, " ");
  argument += strspn(argument, " ");
  if (strncmp(command, "stop-at-launch", 14) == 0) {
    s->stop_at_launch = strcmp(argument, "on") == 0;
    sl_reply_print(to, "the run %s when a kernel begins\n", s->stop_at_launch ? "stops" : "does not stop");
  } else if (strcmp(command, "help") == 0)
    sl_reply_print(to, "monitor registers [NAME]        the lane's registers of the function\n"
                       "monitor code                    the instructions of PTX here\n"
                       "monitor warps                   the block's warps and their paths\n"
                       "monitor shared ADDRESS [MORE]   words of the block's shared memory\n"
                       "monitor stop-at-launch on|off   stop when a kernel begins\n");
  else if (!sl_ptx_view_show(&s->view, s->focus, command, to))
    sl_reply_print(to, "unknown command '%.80s'; monitor help lists them\n", command);
}
