#include "device/command_queue.h"

#include <stdlib.h>
#include <string.h>

enum { PATTERN_MOST = 16 };

const struct sl_timeline_options sl_timeline_defaults = {.copy_latency = 0, .copy_bandwidth = 15754};

/* Commands of each queue. */
struct order {
  uint32_t seen[SL_ORDER_QUEUES];
};

struct sl_timeline {
  struct sl_gpu *gpu;
  struct order host;
  uint32_t count[SL_ORDER_QUEUES]; /* commands so far */
  void (*begins)(void *context, const struct sl_command *command, const struct sl_command_order *order);
  void *context;
  struct sl_timeline_options options;
  struct sl_queue *queues;
  uint64_t opened; /* queues so far */
  uint64_t now;
  uint64_t kernels_free, copies_free; /* when the engines are free */
  bool running;                       /* commands are being executed */
};

struct sl_event {
  struct sl_timeline *timeline;
  unsigned references;
  struct sl_event_times times;
  struct sl_error error; /* of a command that failed */
  struct order order;    /* of the command and what is before it */
};

/* A command that has not been executed. */
struct waiting {
  struct waiting *next;
  struct sl_command command;
  struct sl_gpu_launch launch;
  uint8_t pattern[PATTERN_MOST];
  char *arguments; /* then the kernel's name */
  struct sl_event **waits;
  struct sl_event *event;
  struct order host; /* when it was added */
};

struct sl_queue {
  struct sl_timeline *timeline;
  struct sl_queue *next;
  uint64_t number;
  struct waiting *first, **last;
  uint64_t end;          /* of its last executed command */
  struct order order;    /* of the same */
  struct sl_error error; /* of its first command that failed since the host waited; code SL_OK: none */
};

enum sl_status sl_timeline_open(struct sl_timeline **timeline, struct sl_gpu *gpu,
                                const struct sl_timeline_options *options, struct sl_error *err)
{
  struct sl_timeline *t = *timeline = calloc(1, sizeof *t);
  if (t == NULL)
    return sl_no_memory(err, sizeof *t);
  t->gpu = gpu;
  t->options = *options;
  return SL_OK;
}

uint64_t sl_timeline_now(const struct sl_timeline *timeline)
{
  return timeline->now;
}

void sl_timeline_pass(struct sl_timeline *timeline, uint64_t picoseconds)
{
  timeline->now += picoseconds;
}

enum sl_status sl_queue_open(struct sl_timeline *timeline, struct sl_queue **queue, struct sl_error *err)
{
  struct sl_queue *q = *queue = calloc(1, sizeof *q);
  if (q == NULL)
    return sl_no_memory(err, sizeof *q);
  *q = (struct sl_queue){.timeline = timeline, .next = timeline->queues, .number = timeline->opened++};
  q->last = &q->first;
  timeline->queues = q;
  return SL_OK;
}

uint64_t sl_queue_number(const struct sl_queue *queue)
{
  return queue->number;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

enum sl_status sl_event_open(struct sl_timeline *timeline, struct sl_event **event, struct sl_error *err)
{
  struct sl_event *e = *event = calloc(1, sizeof *e);
  if (e == NULL)
    return sl_no_memory(err, sizeof *e);
  e->timeline = timeline;
  e->references = 1;
  e->times.queued = e->times.submitted = timeline->now;
  return SL_OK;
}

void sl_event_retain(struct sl_event *event)
{
  event->references++;
}

void sl_event_release(struct sl_event *event)
{
  if (event != NULL && --event->references == 0)
    free(event);
}

struct sl_event_times sl_event_times(const struct sl_event *event)
{
  return event->times;
}

static void complete(struct sl_event *e, enum sl_status status, uint64_t start, uint64_t end)
{
  e->times.complete = true;
  e->times.status = status;
  e->times.start = start;
  e->times.end = end;
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static void join(struct order *to, const struct order *from)
{
  for (unsigned i = 0; i < SL_ORDER_QUEUES; i++)
    to->seen[i] = to->seen[i] > from->seen[i] ? to->seen[i] : from->seen[i];
}

void sl_timeline_observe(struct sl_timeline *timeline,
                         void (*begins)(void *context, const struct sl_command *command,
                                        const struct sl_command_order *order),
                         void *context)
{
  timeline->begins = begins;
  timeline->context = context;
}

void sl_timeline_know(struct sl_timeline *timeline, const struct sl_queue *queue)
{
  for (const struct sl_queue *q = timeline->queues; q != NULL; q = q->next)
    if (queue == NULL || q == queue)
      join(&timeline->host, &q->order);
}

/* The command is next in its queue. */
static void take_order(struct sl_queue *q, const struct waiting *w)
{
  struct sl_timeline *t = q->timeline;
  const unsigned entry = q->number < SL_ORDER_QUEUES ? (unsigned)q->number : SL_ORDER_QUEUES - 1;
  struct order *order = &w->event->order;
  if (t->begins == NULL)
    return;
  *order = q->order;
  join(order, &w->host);
  for (size_t i = 0; i < w->command.wait_count; i++)
    join(order, &w->waits[i]->order);
  const struct sl_command_order told = {entry, ++t->count[entry], order->seen, t->host.seen};
  t->begins(t->context, &w->command, &told);
  order->seen[entry] = told.number;
  q->order = *order;
}

/* ---- execution --------------------------------------------------------------------------------------------------- */

static uint64_t latest(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

static uint64_t copy_time(const struct sl_timeline *t, uint64_t bytes)
{
  const uint64_t rate = t->options.copy_bandwidth;
  return t->options.copy_latency + (rate > 0 ? (uint64_t)((double)bytes * 1e6 / (double)rate + 0.5) : 0);
}

/* Within the GPU, where each byte crosses the DRAM interface `times` times. */
static uint64_t dram_time(const struct sl_timeline *t, uint64_t bytes, unsigned times)
{
  const struct sl_config *config = sl_gpu_config(t->gpu);
  const struct sl_gpu_facts facts = sl_gpu_facts(t->gpu);
  const double rate = config->machine->peaks(config->spec).dram.per_cycle;
  const double cycle = facts.clock_mhz > 0 ? 1e6 / facts.clock_mhz : 1e3;
  return rate > 0 ? (uint64_t)((double)bytes * times / rate * cycle + 0.5) : 0;
}

static uint64_t call_time(const struct sl_timeline *t, const struct sl_command *c)
{
  switch (c->timing) {
  case SL_COMMAND_WRITE:
  case SL_COMMAND_READ: return copy_time(t, c->size);
  case SL_COMMAND_FILL: return dram_time(t, c->size, 1);
  case SL_COMMAND_COPY: return dram_time(t, c->size, 2);
  default: return 0;
  }
}

/* Performs a command and stores how long it takes. */
static enum sl_status perform(struct sl_timeline *t, const struct waiting *w, uint64_t *takes, struct sl_error *err)
{
  const struct sl_command *c = &w->command;
  enum sl_status code = SL_OK;
  *takes = 0;
  switch (c->kind) {
  case SL_COMMAND_LAUNCH:
    code = sl_gpu_run(t->gpu, &w->launch, err);
    *takes = sl_gpu_last_picoseconds(t->gpu);
    return code;
  case SL_COMMAND_WRITE:
    *takes = copy_time(t, c->size);
    return sl_gpu_write(t->gpu, SL_GPU_GLOBAL, c->to, c->host, c->size, err);
  case SL_COMMAND_READ:
    *takes = copy_time(t, c->size);
    return sl_gpu_read(t->gpu, SL_GPU_GLOBAL, c->from, c->host, c->size, err);
  case SL_COMMAND_FILL:
    *takes = dram_time(t, c->size, 1);
    return sl_gpu_fill(t->gpu, c->to, w->pattern, c->width, c->size, err);
  case SL_COMMAND_COPY: *takes = dram_time(t, c->size, 2); return sl_gpu_copy(t->gpu, c->to, c->from, c->size, err);
  case SL_COMMAND_CALL:
    *takes = call_time(t, c);
    c->call(c->context);
    return SL_OK;
  case SL_COMMAND_MARKER: return SL_OK;
  }
  return code;
}

/* The engine of a command, NULL: none. */
static uint64_t *engine_of(struct sl_timeline *t, const struct sl_command *c)
{
  const enum sl_command_kind kind = c->kind != SL_COMMAND_CALL       ? c->kind
                                    : c->timing != SL_COMMAND_LAUNCH ? c->timing
                                                                     : SL_COMMAND_CALL;
  if (kind == SL_COMMAND_LAUNCH || kind == SL_COMMAND_FILL || kind == SL_COMMAND_COPY)
    return &t->kernels_free;
  return kind == SL_COMMAND_WRITE || kind == SL_COMMAND_READ ? &t->copies_free : NULL;
}

/* The first event that has failed among those that a command waits for. */
static const struct sl_event *failed_wait(const struct waiting *w)
{
  for (size_t i = 0; i < w->command.wait_count; i++)
    if (w->waits[i]->times.status != SL_OK)
      return w->waits[i];
  return NULL;
}

static void execute(struct sl_queue *q, const struct waiting *w)
{
  struct sl_timeline *t = q->timeline;
  struct sl_event *e = w->event;
  uint64_t *engine = engine_of(t, &w->command), takes = 0;
  uint64_t start = latest(q->end, e->times.queued);
  for (size_t i = 0; i < w->command.wait_count; i++)
    start = latest(start, w->waits[i]->times.end);
  if (engine != NULL)
    start = latest(start, *engine);
  take_order(q, w);
  const struct sl_event *failed = failed_wait(w);
  enum sl_status code = failed != NULL ? failed->times.status : SL_OK;
  if (failed != NULL)
    sl_fail(&e->error, code, "a command that this one waits for has failed: %.600s", failed->error.text);
  else
    code = perform(t, w, &takes, &e->error);
  complete(e, code, start, start + takes);
  q->end = start + takes;
  if (engine != NULL)
    *engine = q->end;
  if (code != SL_OK && q->error.code == SL_OK)
    q->error = e->error;
}

static void free_waiting(struct waiting *w)
{
  for (size_t i = 0; i < w->command.wait_count && w->waits != NULL; i++)
    sl_event_release(w->waits[i]);
  sl_event_release(w->event);
  free(w->waits);
  free(w->arguments);
  free(w);
}

static bool is_ready(const struct waiting *w)
{
  for (size_t i = 0; i < w->command.wait_count; i++)
    if (!w->waits[i]->times.complete)
      return false;
  return true;
}

static void remove_first(struct sl_queue *q)
{
  struct waiting *w = q->first;
  q->first = w->next;
  if (q->first == NULL)
    q->last = &q->first;
  free_waiting(w);
}

/* Executes what is ready, queue by queue, until nothing is. */
static void run_ready(struct sl_timeline *t)
{
  bool any = !t->running;
  t->running = true;
  while (any) {
    any = false;
    for (struct sl_queue *q = t->queues; q != NULL; q = q->next)
      while (q->first != NULL && is_ready(q->first)) {
        execute(q, q->first);
        remove_first(q);
        any = true;
      }
  }
  t->running = false;
}

void sl_queue_close(struct sl_queue *queue)
{
  struct sl_timeline *t = queue->timeline;
  struct sl_queue **at = &t->queues;
  while (*at != queue)
    at = &(*at)->next;
  *at = queue->next;
  while (queue->first != NULL) {
    complete(queue->first->event, SL_STOPPED, t->now, t->now);
    remove_first(queue);
  }
  free(queue);
}

void sl_timeline_close(struct sl_timeline *timeline)
{
  while (timeline != NULL && timeline->queues != NULL)
    sl_queue_close(timeline->queues);
  free(timeline);
}

void sl_event_complete(struct sl_event *event, enum sl_status status)
{
  if (event->times.complete)
    return;
  event->order = event->timeline->host;
  complete(event, status, event->timeline->now, event->timeline->now);
  if (status != SL_OK)
    sl_fail(&event->error, status, "the host has completed the event with a failure");
  run_ready(event->timeline);
}

/* ---- adding commands --------------------------------------------------------------------------------------------- */

static enum sl_status copy_launch(const struct sl_gpu *gpu, struct waiting *w, struct sl_error *err)
{
  const struct sl_gpu_launch *l = w->command.launch;
  const enum sl_status code = sl_gpu_check(gpu, l, err);
  if (code != SL_OK)
    return code;
  w->launch = *l;
  const size_t name = l->kernel != NULL ? strlen(l->kernel) : 0;
  w->arguments = malloc(l->argument_bytes + name + 1);
  if (w->arguments == NULL)
    return sl_no_memory(err, l->argument_bytes + name);
  if (l->argument_bytes > 0)
    memcpy(w->arguments, l->arguments, l->argument_bytes);
  if (l->kernel != NULL)
    w->launch.kernel = strcpy(w->arguments + l->argument_bytes, l->kernel);
  w->launch.arguments = w->arguments;
  return SL_OK;
}

static enum sl_status copy_command(const struct sl_queue *q, struct waiting *w, struct sl_error *err)
{
  struct sl_command *c = &w->command;
  const size_t count = c->wait_count;
  c->wait_count = 0;
  w->waits = calloc(count + 1, sizeof(struct sl_event *));
  if (w->waits == NULL)
    return sl_no_memory(err, count * sizeof(struct sl_event *));
  for (; c->wait_count < count; c->wait_count++) {
    w->waits[c->wait_count] = c->waits[c->wait_count];
    sl_event_retain(w->waits[c->wait_count]);
  }
  if (c->kind == SL_COMMAND_LAUNCH)
    return copy_launch(q->timeline->gpu, w, err);
  if (c->kind != SL_COMMAND_FILL)
    return SL_OK;
  if (c->width > PATTERN_MOST)
    return sl_fail(err, SL_USAGE, "a pattern has at most %d bytes, not %zu", PATTERN_MOST, c->width);
  memcpy(w->pattern, c->host, c->width);
  return SL_OK;
}

enum sl_status sl_queue_add(struct sl_queue *queue, const struct sl_command *command, struct sl_event **event,
                            struct sl_error *err)
{
  struct waiting *w = calloc(1, sizeof *w);
  if (event != NULL)
    *event = NULL;
  if (w == NULL)
    return sl_no_memory(err, sizeof *w);
  w->command = *command;
  w->host = queue->timeline->host;
  enum sl_status code = copy_command(queue, w, err);
  if (code == SL_OK)
    code = sl_event_open(queue->timeline, &w->event, err);
  if (code != SL_OK) {
    free_waiting(w);
    return code;
  }
  if (event != NULL) {
    *event = w->event;
    sl_event_retain(w->event);
  }
  *queue->last = w;
  queue->last = &w->next;
  run_ready(queue->timeline);
  return SL_OK;
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

void sl_event_error(const struct sl_event *event, struct sl_error *err)
{
  if (err != NULL)
    *err = event->error;
}

enum sl_status sl_queue_finish(struct sl_queue *queue, struct sl_error *err)
{
  if (queue->first != NULL)
    return sl_fail(err, SL_USAGE, "the queue waits for an event that the host has not completed; complete it first");
  queue->timeline->now = latest(queue->timeline->now, queue->end);
  join(&queue->timeline->host, &queue->order);
  const struct sl_error error = queue->error;
  queue->error = (struct sl_error){.code = SL_OK};
  if (error.code != SL_OK && err != NULL)
    *err = error;
  return error.code;
}

enum sl_status sl_event_wait(struct sl_event *event, struct sl_error *err)
{
  if (!event->times.complete)
    return sl_fail(err, SL_USAGE, "the command waits for an event that the host has not completed; complete it first");
  event->timeline->now = latest(event->timeline->now, event->times.end);
  join(&event->timeline->host, &event->order);
  if (event->times.status != SL_OK && err != NULL)
    *err = event->error;
  return event->times.status;
}
