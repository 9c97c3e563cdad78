/* Traces of a part of the run of a launch script, or of a launch of a host program. The trace is written by playing
 * that part again: it may be a way back, and a timed GPU reports what a trace needs only from its creation on. */
#include <inttypes.h>

#include "debug/ptx/ptx_debug.h"

void sl_ptx_trace_leave(struct sl_ptx_stub *s, enum sl_ptx_trace_end end)
{
  const uint64_t from = s->traced_from, now = s->replay.place;
  s->trace_end = end;
  s->trace_begin = from < now ? from : now;
  s->before = end == SL_PTX_TRACE_TO_END ? UINT64_MAX : from < now ? now : from;
  s->spot = sl_ptx_spot_of(s, s->focus);
  s->trace_begun = false;
  sl_ptx_leave(s, SL_PTX_TRACE, s->trace_begin);
  s->replay.ask = s->changes.count > 0 ? 1 : s->trace_begin + 1; /* all blocks are known, so changes are repeated */
}

void sl_ptx_trace_tell(struct sl_ptx_stub *s, const struct sl_probe *p)
{
  if (p->kind == SL_PROBE_LAUNCHED)
    s->launch_event = *p;
  if (s->replay.place < s->trace_begin || s->replay.place >= s->before)
    return;
  if (!s->trace_begun && p->kind != SL_PROBE_LAUNCHED) { /* the kernel has begun before the trace */
    s->launch_event.cycle = 0;
    sl_tell(&s->traced, &s->launch_event);
  }
  s->trace_begun = true;
  sl_tell(&s->traced, p);
}

void sl_ptx_trace_close(struct sl_ptx_stub *s, struct sl_reply *text)
{
  uint64_t instructions = 0;
  struct sl_error err = {.code = SL_OK};
  s->tracing = false;
  if (s->tracer.close(s->tracer.context, &instructions, &err) != SL_OK)
    sl_reply_print(text, "no trace: %s\n", err.text);
  else
    sl_reply_print(text, "trace of %" PRIu64 " instructions, places %" PRIu64 " to %" PRIu64 "\n", instructions,
                   s->trace_begin, s->replay.place);
}

void sl_ptx_trace_open(struct sl_ptx_stub *s, const char *path, struct sl_reply *text)
{
  struct sl_error err = {.code = SL_OK};
  if (s->tracing)
    sl_reply_print(text, "a trace is on since place %" PRIu64 "; monitor trace off ends it\n", s->traced_from);
  else if (s->fast)
    sl_reply_print(text, "a trace needs timing: start simtlab gdb without --fast\n");
  else if (s->view.block == NULL)
    sl_reply_print(text, "no thread runs\n");
  else if (!sl_ptx_replay_goes_back(&s->replay))
    sl_reply_print(text, "a trace executes the part again, but the launch's beginning was not kept\n");
  else if (s->tracer.open(s->tracer.context, path, &s->traced, &err) != SL_OK)
    sl_reply_print(text, "no trace: %s\n", err.text);
  else {
    s->tracing = true;
    s->traced_from = s->replay.place;
    sl_reply_print(text, "trace from place %" PRIu64 " on; monitor trace off or the end of %s writes it\n",
                   s->traced_from, s->hosted ? "the launch" : "gdb");
  }
}
