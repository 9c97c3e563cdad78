#include "debug/ptx/ptx_stub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/ptx/ptx_debug.h"

enum { EVENTS = SL_PROBE_LAUNCHED | SL_PROBE_BEGUN | SL_PROBE_EXECUTED };

enum sl_status sl_ptx_stub_open(struct sl_ptx_stub **stub, int in, int out, bool fast,
                                const struct sl_debug_tracer *tracer, const struct sl_ptx_rewind *host,
                                struct sl_error *err)
{
  struct sl_ptx_stub *s = *stub = calloc(1, sizeof *s);
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  s->connection.in = in;
  s->connection.out = out;
  s->fast = fast;
  s->hosted = host != NULL;
  s->view.set = &s->set;
  s->tracer = *tracer;
  s->launched = true; /* the first stop */
  s->probes = (struct sl_probes){.wanted = EVENTS, .tell = sl_ptx_tell, .context = s};
  sl_ptx_replay_open(&s->replay);
  if (host != NULL)
    s->replay.rewind = *host;
  return SL_OK;
}

struct sl_probes *sl_ptx_stub_probes(struct sl_ptx_stub *s)
{
  return &s->probes;
}

enum sl_status sl_ptx_stub_begin(struct sl_ptx_stub *s, struct sl_gpu *gpu, struct sl_script_player *player,
                                 struct sl_error *err)
{
  const bool traces = s->goal == SL_PTX_TRACE;
  s->probes.stopped = false;
  s->probes.wanted = EVENTS | (traces ? s->traced.wanted : 0u);
  s->probes.payloads = traces ? s->traced.payloads : 0;
  sl_ptx_watch_go_on(&s->watches);
  return sl_ptx_replay_begin(&s->replay, gpu, player, err);
}

void sl_ptx_stub_module(struct sl_ptx_stub *s, const struct sl_ptx_module *module)
{
  sl_ptx_register_set_bind(&s->set, module);
}

void sl_ptx_stub_library(struct sl_ptx_stub *s, const struct sl_ptx_module *module, const char *symbols)
{
  sl_ptx_stub_module(s, module);
  sl_reply_print(&s->libraries, "<library name=\"");
  for (const char *c = symbols; *c != '\0'; c++)
    if (strchr("<>&\"", *c) != NULL)
      sl_reply_print(&s->libraries, "&#%d;", *c);
    else
      sl_reply_print(&s->libraries, "%c", *c);
  sl_reply_print(&s->libraries, "\"><section address=\"0x0\"/></library>"); /* added to the addresses in the file */
  s->news = true;
}

bool sl_ptx_stub_reached(struct sl_ptx_stub *s, const struct sl_ptx_under_way *launch, uint64_t now, uint64_t *next)
{
  *next = UINT64_MAX;
  if (!s->detached && !s->killed && !s->leaving)
    sl_ptx_replay_reached(&s->replay, launch, now, next);
  return true;
}

bool sl_ptx_stub_prints(struct sl_ptx_stub *s)
{
  return sl_ptx_replay_prints(&s->replay);
}

void sl_ptx_stub_launch(struct sl_ptx_stub *s)
{
  s->goal = SL_PTX_FORWARD;
  s->fast = sl_gpu_fast(s->replay.rewind.gpu);
  s->probes.wanted = EVENTS;
  s->probes.payloads = 0;
  s->offer = s->missed_count = 0;
  s->passes = s->faulted = false;
  sl_ptx_changes_clear(&s->changes);
  for (size_t i = 0; i < SL_PTX_STEPS; i++)
    s->step[i].place = 0;
  if (!s->detached && !s->killed)
    sl_ptx_replay_launch(&s->replay);
}

void sl_ptx_stub_exit(struct sl_ptx_stub *s, int status)
{
  s->reply.size = 0;
  sl_reply_print(&s->reply, "W%02x", (unsigned)status & 0xff);
  if (s->asked && !s->killed && !s->detached)
    sl_packet_write(&s->connection, s->reply.text, s->reply.size);
}

bool sl_ptx_stub_killed(const struct sl_ptx_stub *s)
{
  return s->killed;
}

void sl_ptx_stub_launch_end(struct sl_ptx_stub *s, enum sl_status code, const char *text)
{
  char sentence[900];
  s->view.block = NULL;
  snprintf(sentence, sizeof sentence, "simtlab: %.850s\n", text);
  if (code != SL_OK && s->asked && !s->killed && !s->detached)
    sl_ptx_send_text(s, sentence);
}

bool sl_ptx_stub_served(const struct sl_ptx_stub *s)
{
  return s->served;
}

/* A fault stops before its instruction: at the last place. Returns false if its thread is unknown. */
static bool go_to_fault(struct sl_ptx_stub *s, const struct sl_gpu *gpu, const char *text)
{
  const struct sl_gpu_fault f = sl_gpu_last_fault(gpu);
  struct sl_ptx_stop stop = {.signal = SL_PTX_SEGMENT};
  if (f.kind == SL_GPU_FAULT_NONE || !f.in_grid || s->replay.place == 0 || s->goal != SL_PTX_FORWARD ||
      sl_gpu_record_count(gpu) == 0 || !sl_ptx_replay_goes_back(&s->replay))
    return false;
  const struct sl_gpu_record *r = sl_gpu_record(gpu, sl_gpu_record_count(gpu) - 1);
  const uint64_t thread = ((uint64_t)f.thread[2] * r->block[1] + f.thread[1]) * r->block[0] + f.thread[0];
  const struct sl_ptx_spot spot = {.place = s->replay.place,
                                   .launch = s->launch,
                                   .block = ((uint64_t)f.block[2] * r->grid[1] + f.block[1]) * r->grid[0] + f.block[0],
                                   .warp = (unsigned)(thread / SL_PTX_LANES),
                                   .lane = (unsigned)(thread % SL_PTX_LANES)};
  if (f.kind == SL_GPU_FAULT_MISALIGNED)
    stop.signal = SL_PTX_BUS;
  if (f.kind == SL_GPU_FAULT_TRAP || f.kind == SL_GPU_FAULT_INSTRUCTION)
    stop.signal = SL_PTX_ILLEGAL;
  snprintf(stop.text, sizeof stop.text, "simtlab: %.850s\n", text);
  s->moved = SL_PTX_STOP_PLAIN;
  sl_ptx_go(s, &spot, &stop);
  s->faulted = true;
  return true;
}

/* The run has ended during a trace. Returns whether it is played again, to write the trace. */
static bool end_trace(struct sl_ptx_stub *s)
{
  struct sl_reply text = {0};
  const bool written = s->goal == SL_PTX_TRACE;
  if (!written)
    sl_ptx_trace_leave(s, SL_PTX_TRACE_TO_END);
  else
    sl_ptx_trace_close(s, &text);
  if (s->hosted && s->asked && text.size > 0) {
    sl_reply_bytes(&text, "", 1);
    sl_ptx_send_text(s, text.text);
  }
  s->goal = written ? SL_PTX_FORWARD : SL_PTX_TRACE;
  sl_reply_clear(&text);
  return !written;
}

bool sl_ptx_stub_again(struct sl_ptx_stub *s, enum sl_status code, const char *text)
{
  struct sl_error err = {.code = SL_OK};
  struct sl_gpu *gpu = s->replay.rewind.gpu;
  bool again = s->leaving && !s->killed;
  s->view.block = NULL;
  s->view.registers = NULL;
  if (!again && s->tracing && code != SL_FAULT && !s->killed)
    again = end_trace(s);
  if (!again && code == SL_FAULT && !s->killed && !s->detached && !s->passes)
    again = go_to_fault(s, gpu, text);
  s->leaving = false;
  if (again && sl_ptx_stub_begin(s, gpu, NULL, &err) != SL_OK) {
    sl_ptx_send_text(s, err.text);
    s->killed = true;
    return false;
  }
  return again;
}

bool sl_ptx_stub_end(struct sl_ptx_stub *s, const struct sl_gpu *gpu, enum sl_status code, const char *text)
{
  bool again = s->leaving && !s->killed;
  s->view.block = NULL;
  s->view.registers = NULL;
  if (!again && s->tracing && code != SL_FAULT)
    again = end_trace(s);
  if (!again && !s->killed && !s->detached) {
    if (code != SL_FAULT || gpu == NULL || !go_to_fault(s, gpu, text)) {
      struct sl_ptx_stop stop = {.signal = 0};
      if (code != SL_OK)
        snprintf(stop.text, sizeof stop.text, "%.890s\n", text);
      if (s->asked) {
        sl_ptx_send_text(s, stop.text);
        s->reply.size = 0;
        sl_reply_print(&s->reply, code == SL_FAULT ? "X%02x" : "W%02x",
                       code == SL_FAULT ? SL_PTX_SEGMENT
                       : code == SL_OK  ? 0
                                        : 1);
        sl_packet_write(&s->connection, s->reply.text, s->reply.size);
      }
      sl_ptx_serve(s);
    }
    again = s->leaving && !s->killed;
  }
  s->leaving = false;
  return again;
}

void sl_ptx_stub_close(struct sl_ptx_stub *s)
{
  if (s == NULL)
    return;
  sl_ptx_register_set_free(&s->set);
  sl_ptx_changes_clear(&s->changes);
  sl_ptx_replay_close(&s->replay);
  sl_reply_clear(&s->reply);
  sl_reply_clear(&s->threads);
  sl_reply_clear(&s->description);
  sl_reply_clear(&s->libraries);
  sl_reply_clear(&s->library_list);
  sl_reply_clear(&s->monitored);
  sl_reply_clear(&s->connection.frame);
  free(s);
}
