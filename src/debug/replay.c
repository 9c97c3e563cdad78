#include "debug/debug.h"

#include <stdlib.h>
#include <string.h>

#include "device/checkpoint.h"
#include "device/launch.h"

enum { FIRST_SPACING = 1 << 16, WORTH_A_POINT = 100000, INPUT_STEP = 4096, PENDING_START = 1 };

static const unsigned EVENTS =
    SL_PROBE_EXECUTED | SL_PROBE_ACCESSED | SL_PROBE_LAUNCHED | SL_PROBE_BEGUN | SL_PROBE_ENDED;
static const size_t MOST_BYTES = (size_t)1 << 30; /* of all checkpoints */

static int get_byte(void *context)
{
  struct sl_replay *r = context;
  if (r->input_at < r->input_size)
    return r->input[r->input_at++];
  const int byte = r->input_ended || r->order.get == NULL ? SL_CONSOLE_END : r->order.get(r->order.context);
  uint8_t *larger = r->input;
  if (byte != SL_CONSOLE_END && r->input_size % INPUT_STEP == 0)
    larger = realloc(r->input, r->input_size + INPUT_STEP);
  if (byte == SL_CONSOLE_END || larger == NULL) {
    r->input_ended = true;
    return SL_CONSOLE_END;
  }
  r->input = larger;
  r->input[r->input_size++] = (uint8_t)byte;
  r->input_at++;
  return byte;
}

/* Output that a replay repeats is not printed again. */
static int put_byte(void *context, uint8_t byte)
{
  struct sl_replay *r = context;
  if (r->output_at++ >= r->printed && !r->peeks) {
    r->printed = r->output_at;
    r->order.put(r->order.context, byte);
  }
  return 0;
}

static void expect_arrival(struct sl_replay *r, unsigned warp, uint32_t from)
{
  if (warp >= r->warps)
    return;
  if (!r->is_pending[warp])
    r->pending[r->pending_count++] = warp;
  r->is_pending[warp] = true;
  r->pending_from[warp] = from;
}

static void note_access(struct sl_replay *r, const struct sl_probe *p)
{
  if (p->address == NULL || r->accessed)
    return;
  for (unsigned w = 0; w < r->watches; w++) {
    const struct sl_replay_watch *watch = &r->watch[w];
    if (!(p->access != SL_PROBE_LOAD && watch->writes) && !(p->access != SL_PROBE_STORE && watch->reads))
      continue;
    for (unsigned lane = 0; lane < p->lanes; lane++)
      if ((p->active >> lane & 1) && p->address[lane] < watch->address + watch->size &&
          watch->address < p->address[lane] + p->width) {
        r->access = (struct sl_tick_access){w, p->warp, lane, watch->address};
        r->accessed = true;
        return;
      }
  }
}

static void scan(struct sl_replay *r, const struct sl_probe *p)
{
  for (unsigned i = 0; p->kind == SL_PROBE_EXECUTED && i < r->scanned_count; i++)
    r->scan_found |= r->scanned[i] == (uint32_t)p->pc;
  if (p->kind == SL_PROBE_ACCESSED)
    note_access(r, p);
}

static bool tell(void *context, const struct sl_probe *p)
{
  struct sl_replay *r = context;
  if (r->observer != NULL)
    return r->observer->tell(r->observer->context, p);
  if (r->peeks) {
    if (p->kind == SL_PROBE_EXECUTED && p->warp < r->warps && r->next_pc[p->warp] == 0) {
      r->next_pc[p->warp] = (uint32_t)p->pc;
      r->seen++;
    }
    return true;
  }
  if (r->scans) {
    scan(r, p);
    return true;
  }
  switch (p->kind) {
  case SL_PROBE_EXECUTED:
    if (r->executed < SL_TICK_EVENTS)
      r->event[r->executed++] = (struct sl_tick_event){p->warp, (uint32_t)p->pc, p->active};
    expect_arrival(r, p->warp, (uint32_t)p->pc);
    break;
  case SL_PROBE_ACCESSED: note_access(r, p); break;
  case SL_PROBE_BEGUN: expect_arrival(r, p->warp, PENDING_START); break;
  case SL_PROBE_LAUNCHED:
    r->launched = true;
    for (unsigned w = 0; w < r->warps; w++)
      expect_arrival(r, w, PENDING_START);
    break;
  case SL_PROBE_ENDED: r->ended = true; break;
  default: break;
  }
  return true;
}

unsigned sl_replay_wanted(void)
{
  return EVENTS;
}

bool sl_replay_hear(struct sl_replay *replay, const struct sl_probe *probe)
{
  return tell(replay, probe);
}

static enum sl_status run_for(struct sl_replay *r, uint64_t ticks)
{
  return r->order.device != NULL ? sl_device_run_launch(r->device, ticks, &r->error)
                                 : sl_device_run_for(r->device, ticks, &r->error);
}

/* The device before tick 0; that of a launch is the same as before. */
static enum sl_status fresh_device(struct sl_replay *r, struct sl_error *err)
{
  struct sl_device_options options = r->order.options;
  r->over = SL_PAUSED;
  if (r->order.device != NULL)
    return SL_OK;
  sl_gpu_close(r->gpu);
  r->device = NULL;
  options.console = (struct sl_console){r, get_byte, put_byte};
  options.probes = (struct sl_probes){.wanted = EVENTS, .tell = tell, .context = r};
  if (r->observer != NULL) {
    options.probes.wanted |= r->observer->wanted;
    options.probes.payloads = r->observer->payloads;
  }
  const struct sl_gpu_options hosts = {.machine_code = true, .hosted = &options};
  enum sl_status code = sl_gpu_open(&r->gpu, r->order.config, &hosts, err);
  r->device = code == SL_OK ? sl_gpu_device(r->gpu) : NULL;
  if (code == SL_OK)
    code = sl_device_load(r->device, r->order.program, r->order.argc, r->order.argv, err);
  if (code != SL_OK)
    return code;
  sl_device_observe(r->device, 0);
  r->soc = sl_device_soc(r->device);
  r->input_at = r->output_at = 0;
  return SL_OK;
}

/* Starts the launch, whose first instructions are to come. */
static enum sl_status begin_launch(struct sl_replay *r, struct sl_error *err)
{
  r->soc = sl_device_soc(r->device);
  sl_device_observe(r->device, 0);
  const enum sl_status code = run_for(r, 0);
  r->begin = sl_device_elapsed(r->device);
  if (code != SL_PAUSED) {
    *err = r->error;
    return code;
  }
  return sl_device_save_launch(r->device, &r->point[0].bytes, &r->point[0].size, err);
}

enum sl_status sl_replay_open(struct sl_replay *replay, const struct sl_replay_order *order, struct sl_error *err)
{
  *replay = (struct sl_replay){.order = *order,
                               .machine = order->config->machine,
                               .spacing = FIRST_SPACING,
                               .device = order->device,
                               .over = SL_PAUSED};
  const enum sl_status code = order->device != NULL ? begin_launch(replay, err) : fresh_device(replay, err);
  if (code != SL_OK)
    return code;
  replay->warps = replay->soc->warps * (replay->soc->cores != 0 ? replay->soc->cores : 1);
  replay->points = 1;
  replay->pending = calloc(replay->warps, sizeof *replay->pending);
  replay->pending_from = calloc(replay->warps, sizeof *replay->pending_from);
  replay->is_pending = calloc(replay->warps, sizeof *replay->is_pending);
  replay->next_pc = calloc(replay->warps, sizeof *replay->next_pc);
  replay->peeked = UINT64_MAX;
  if (replay->next_pc == NULL || replay->pending == NULL || replay->pending_from == NULL || replay->is_pending == NULL)
    return sl_no_memory(err, replay->warps * sizeof *replay->pending);
  return SL_OK;
}

void sl_replay_close(struct sl_replay *replay)
{
  for (size_t i = 0; i < replay->points; i++)
    free(replay->point[i].bytes);
  free(replay->input);
  free(replay->pending);
  free(replay->pending_from);
  free(replay->is_pending);
  free(replay->next_pc);
  sl_gpu_close(replay->gpu);
}

uint64_t sl_replay_now(const struct sl_replay *replay)
{
  return sl_device_elapsed(replay->device) - replay->begin;
}

bool sl_replay_kernel_runs(const struct sl_replay *replay)
{
  const enum sl_sm_state state = sl_device_sm(replay->device)->state;
  return state == SL_SM_RUNNING || state == SL_SM_STOPPED || state == SL_SM_FAULTED;
}

static void drop_point(struct sl_replay *r, size_t i)
{
  free(r->point[i].bytes);
  memmove(&r->point[i], &r->point[i + 1], (r->points - i - 1) * sizeof *r->point);
  r->points--;
}

/* Makes room: drops every second checkpoint, but those that the user's changes need. */
static void thin(struct sl_replay *r)
{
  size_t kept = 1;
  for (size_t i = 1; i < r->points; i++)
    if (i % 2 == 0 || r->point[i].written)
      r->point[kept++] = r->point[i];
    else
      free(r->point[i].bytes);
  r->points = kept;
  r->spacing *= 2;
}

/* Saves a checkpoint here, unless there is one or the machine has none. */
static void save_point(struct sl_replay *r, bool written)
{
  const uint64_t now = sl_replay_now(r);
  struct sl_error ignored;
  size_t bytes = 0, at = r->points;
  for (size_t i = 0; i < r->points; i++)
    bytes += r->point[i].size;
  if (r->points == SL_REPLAY_POINTS || bytes > MOST_BYTES)
    thin(r);
  if (r->points == SL_REPLAY_POINTS)
    return;
  for (at = r->points; at > 0 && r->point[at - 1].tick >= now; at--)
    if (r->point[at - 1].tick == now) {
      if (!written || at == 1)
        return;
      drop_point(r, at - 1);
    }
  struct sl_replay_point p = {.tick = now, .input = r->input_at, .output = r->output_at, .written = written};
  const enum sl_status code = r->order.device != NULL ? sl_device_save_launch(r->device, &p.bytes, &p.size, &ignored)
                                                      : sl_device_save_bytes(r->device, &p.bytes, &p.size, &ignored);
  if (code != SL_OK)
    return;
  memmove(&r->point[at + 1], &r->point[at], (r->points - at) * sizeof *r->point);
  r->point[at] = p;
  r->points++;
}

/* Notes where and how the run has ended. */
static enum sl_status settle(struct sl_replay *r, enum sl_status code)
{
  if (code == SL_STOPPED)
    code = SL_PAUSED;
  if (code != SL_PAUSED) {
    r->over = code;
    r->fault = *r->machine->view.fault(sl_device_sm(r->device));
  }
  if (sl_replay_now(r) > r->furthest)
    r->furthest = sl_replay_now(r);
  return code;
}

static enum sl_status restore(struct sl_replay *r, const struct sl_replay_point *p)
{
  enum sl_status code = SL_OK;
  if (r->over != SL_PAUSED || p->bytes == NULL)
    code = fresh_device(r, &r->error);
  if (code == SL_OK && p->bytes != NULL)
    code = r->order.device != NULL ? sl_device_restore_launch(r->device, p->bytes, p->size, &r->error)
                                   : sl_device_restore_bytes(r->device, p->bytes, p->size, &r->error);
  r->input_at = p->input;
  r->output_at = p->output;
  memset(r->is_pending, 0, r->warps * sizeof *r->is_pending);
  r->pending_count = 0;
  return code;
}

/* A replay takes up a state that the user has changed. */
static enum sl_status take_written(struct sl_replay *r, uint64_t before)
{
  const uint64_t now = sl_replay_now(r);
  for (size_t i = 1; i < r->points && now < r->furthest; i++)
    if (r->point[i].written && r->point[i].tick > before && r->point[i].tick <= now)
      return restore(r, &r->point[i]) == SL_OK ? SL_PAUSED : SL_INTERNAL;
  return SL_PAUSED;
}

/* The tick at which the next checkpoint is due. */
static void save_if_due(struct sl_replay *r)
{
  const uint64_t last = r->point[r->points - 1].tick, now = sl_replay_now(r);
  if (now >= last + r->spacing)
    save_point(r, false);
}

enum sl_status sl_replay_tick(struct sl_replay *r)
{
  if (r->over != SL_PAUSED)
    return r->over;
  const uint64_t before = sl_replay_now(r);
  const uint64_t host = sl_device_result(r->device)->host_instructions;
  save_if_due(r);
  r->executed = 0;
  r->host_executed = r->launched = r->ended = r->accessed = false;
  sl_device_observe(r->device, EVENTS);
  const enum sl_status code = settle(r, run_for(r, 1));
  sl_device_observe(r->device, 0);
  r->host_executed = sl_device_result(r->device)->host_instructions != host;
  return code == SL_PAUSED ? take_written(r, before) : code;
}

enum sl_status sl_replay_run(struct sl_replay *r, uint64_t ticks)
{
  if (r->over != SL_PAUSED)
    return r->over;
  const uint64_t end = sl_replay_now(r) + ticks;
  r->pending_count = 0;
  memset(r->is_pending, 0, r->warps * sizeof *r->is_pending);
  while (sl_replay_now(r) < end) {
    save_if_due(r);
    const uint64_t now = sl_replay_now(r), left = end - now;
    enum sl_status code = settle(r, run_for(r, left < r->spacing ? left : r->spacing));
    if (code == SL_PAUSED)
      code = take_written(r, now);
    if (code != SL_PAUSED)
      return code;
  }
  return SL_PAUSED;
}

enum sl_status sl_replay_scan(struct sl_replay *r, uint64_t ticks, const uint32_t *instructions, unsigned count,
                              bool *found)
{
  r->scanned = instructions;
  r->scanned_count = count;
  r->scan_found = r->accessed = false;
  r->scans = true;
  sl_device_observe(r->device, SL_PROBE_EXECUTED | (r->watches > 0 ? SL_PROBE_ACCESSED : 0u));
  const enum sl_status code = sl_replay_run(r, ticks);
  sl_device_observe(r->device, 0);
  r->scans = false;
  *found = r->scan_found || r->accessed;
  r->accessed = false;
  return code;
}

enum sl_status sl_replay_go(struct sl_replay *r, uint64_t tick)
{
  const uint64_t now = sl_replay_now(r);
  size_t i = r->points - 1;
  while (i > 0 && r->point[i].tick > tick)
    i--;
  if (r->over != SL_PAUSED || now > tick || now < r->point[i].tick) {
    const enum sl_status code = restore(r, &r->point[i]);
    if (code != SL_OK)
      return code;
  }
  const uint64_t from = sl_replay_now(r);
  const enum sl_status code = from < tick ? sl_replay_run(r, tick - from) : SL_PAUSED;
  if (code == SL_PAUSED && sl_replay_now(r) - from > WORTH_A_POINT)
    save_point(r, false);
  return code;
}

/* Goes to a tick on a new device: machines ask at their creation what the observer wants. */
static enum sl_status go_anew(struct sl_replay *r, uint64_t tick)
{
  r->over = SL_INTERNAL;
  return sl_replay_go(r, tick);
}

/* The run from here to a tick, for the observer. A kernel that runs already has begun for it. */
static enum sl_status tell_observer(struct sl_replay *r, uint64_t end)
{
  const struct sl_result *result = sl_device_result(r->device);
  if (sl_replay_kernel_runs(r) && result->launch_count > 0)
    sl_tell(r->observer, &(struct sl_probe){.kind = SL_PROBE_LAUNCHED,
                                            .launch = (unsigned)result->launch_count - 1,
                                            .pc = result->launches[result->launch_count - 1].entry});
  sl_device_observe(r->device, r->observer->wanted);
  const enum sl_status code = sl_replay_run(r, end - sl_replay_now(r));
  sl_device_observe(r->device, 0);
  return code;
}

enum sl_status sl_replay_observe(struct sl_replay *r, uint64_t tick, struct sl_probes *observer)
{
  const uint64_t now = sl_replay_now(r), begin = tick < now ? tick : now, end = tick < now ? now : tick;
  const unsigned pending = r->pending_count;
  bool *is_pending = malloc(r->warps * sizeof *is_pending);
  if (is_pending == NULL)
    return sl_no_memory(&r->error, r->warps * sizeof *is_pending);
  memcpy(is_pending, r->is_pending, r->warps * sizeof *is_pending);
  r->observer = observer;
  enum sl_status code = go_anew(r, begin);
  if (code == SL_PAUSED)
    code = tell_observer(r, end);
  r->observer = NULL;
  if (end != now)
    code = go_anew(r, now);
  memcpy(r->is_pending, is_pending, r->warps * sizeof *is_pending);
  r->pending_count = pending;
  free(is_pending);
  return code;
}

uint64_t sl_replay_point_below(const struct sl_replay *replay, uint64_t tick)
{
  size_t i = replay->points - 1;
  while (i > 0 && replay->point[i].tick >= tick)
    i--;
  return replay->point[i].tick;
}

bool sl_replay_fetches_ahead(const struct sl_replay *replay)
{
  return replay->machine->view.fetches_ahead && !replay->order.options.fast;
}

static void look_ahead(struct sl_replay *r)
{
  enum { STEP = 64, MOST = 4096 };
  const uint64_t now = sl_replay_now(r), furthest = r->furthest;
  save_point(r, false);
  memset(r->next_pc, 0, r->warps * sizeof *r->next_pc);
  r->seen = 0;
  r->peeks = true;
  sl_device_observe(r->device, EVENTS);
  enum sl_status code = SL_PAUSED;
  for (unsigned n = 0; n < MOST && r->seen < r->warps && code == SL_PAUSED; n += STEP)
    code = settle(r, run_for(r, STEP));
  sl_device_observe(r->device, 0);
  r->furthest = furthest;
  sl_replay_go(r, now);
  r->peeks = false;
  r->peeked = now;
}

uint32_t sl_replay_next_pc(struct sl_replay *replay, unsigned warp)
{
  if (replay->peeked != sl_replay_now(replay))
    look_ahead(replay);
  return replay->next_pc[warp];
}

void sl_replay_written(struct sl_replay *replay)
{
  const uint64_t now = sl_replay_now(replay);
  while (replay->points > 1 && replay->point[replay->points - 1].tick > now)
    drop_point(replay, replay->points - 1);
  replay->furthest = now;
  replay->peeked = UINT64_MAX;
  save_point(replay, true);
}
