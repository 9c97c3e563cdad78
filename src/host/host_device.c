#include "host/host_device.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/whole_file.h"

static enum sl_status set_keys(struct sl_config *config, const char *list, struct sl_error *err)
{
  char assignment[SL_HOST_TEXT];
  enum sl_status code = SL_OK;
  for (const char *at = list; *at != '\0' && code == SL_OK;) {
    const size_t length = strcspn(at, ",");
    snprintf(assignment, sizeof assignment, "%.*s", (int)length, at);
    if (length > 0)
      code = sl_config_set(config, assignment, err);
    at += length + (at[length] == ',');
  }
  return code == SL_OK ? sl_config_check(config, err) : code;
}

/* Replaces %p by the number of the process. */
static enum sl_status open_stats(struct sl_host_device *device, struct sl_error *err)
{
  char path[SL_HOST_TEXT + 32];
  const char *from = device->options.stats, *mark = strstr(from, "%p");
  if (*from == '\0')
    return SL_OK;
  if (mark == NULL)
    snprintf(path, sizeof path, "%s", from);
  else
    snprintf(path, sizeof path, "%.*s%ld%s", (int)(mark - from), from, (long)getpid(), mark + 2);
  device->stats = fopen(path, "w");
  return device->stats != NULL ? SL_OK : sl_fail(err, SL_USAGE, "%.300s: the statistics cannot be written", path);
}

enum sl_status sl_host_open(struct sl_host_device *device, const struct sl_host_options *options, const char *machine,
                            size_t print_room, struct sl_error *err)
{
  *device = (struct sl_host_device){.options = *options};
  sl_host_services_init(&device->services, print_room);
  const char *name = options->machine[0] != '\0' ? options->machine : machine;
  enum sl_status code = sl_config_open(&device->config, name, err);
  if (code == SL_OK)
    code = set_keys(&device->config, options->set, err);
  const struct sl_gpu_options gpu = {
      .fast = strcmp(options->mode, "fast") == 0 && options->timed[0] == '\0',
      .threads = options->threads < UINT16_MAX ? (unsigned)options->threads : UINT16_MAX,
      .limit = options->max_cycles,
      .services = &device->services.services,
  };
  if (code == SL_OK)
    code = sl_gpu_open(&device->gpu, &device->config, &gpu, err);
  if (code == SL_OK)
    code = sl_timeline_open(&device->timeline, device->gpu, &sl_timeline_defaults, err);
  if (code == SL_OK)
    code = open_stats(device, err);
  if (code == SL_OK)
    device->facts = sl_gpu_facts(device->gpu);
  return code;
}

enum sl_status sl_host_make_heap(struct sl_host_device *device, uint64_t bytes, struct sl_error *err)
{
  uint64_t address;
  if (device->services.class_at != NULL || bytes == 0)
    return SL_OK;
  const enum sl_status code = sl_gpu_alloc(device->gpu, bytes, &address, err);
  return code == SL_OK ? sl_host_services_heap(&device->services, address, bytes, err) : code;
}

/* Prints what the launch has printed. */
static void print_text(struct sl_host_device *device)
{
  struct sl_host_services *s = &device->services;
  char sentence[160];
  if (device->print != NULL && s->used > 0)
    device->print(s->text, s->used);
  if (device->print != NULL && s->dropped > 0) {
    const int n = snprintf(sentence, sizeof sentence,
                           "simtlab: %" PRIu64 " calls of printf are not shown: a launch prints at most %zu bytes\n",
                           s->dropped, s->room);
    device->print(sentence, (size_t)n);
  }
  s->used = 0;
  s->dropped = 0;
}

/* ---- statistics -------------------------------------------------------------------------------------------------- */

/* Writes a line. Lines are whole also in the file of a program that is killed. */
static void put_line(struct sl_host_device *device, json_t *object)
{
  char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
  if (text != NULL) {
    fprintf(device->stats, "%s\n", text);
    fflush(device->stats);
  }
  free(text);
  json_decref(object);
}

static json_t *counters_json(const struct sl_host_device *device, const struct sl_launch *launch)
{
  const struct sl_counters *counters = device->config.machine->counters;
  json_t *object = json_object();
  for (size_t i = 0; object != NULL && i < counters->count; i++)
    json_object_set_new(
        object, counters->counter[i].name,
        json_integer((json_int_t)(launch != NULL ? launch->counters[i] : sl_gpu_total(device->gpu, i))));
  return object;
}

static void put_launch(struct sl_host_device *device, const struct sl_gpu_launch *launch, bool timed,
                       enum sl_status code)
{
  const size_t count = sl_gpu_record_count(device->gpu);
  if (count == 0) /* it has not begun */
    return;
  const struct sl_gpu_record *r = sl_gpu_record(device->gpu, count - 1);
  json_t *object = json_pack("{s:I, s:s, s:[iii], s:[iii], s:s, s:s, s:I, s:i, s:i, s:i}", "launch",
                             (json_int_t)device->launches - 1, "kernel", launch->kernel, "grid", launch->grid[0],
                             launch->grid[1], launch->grid[2], "block", launch->block[0], launch->block[1],
                             launch->block[2], "mode", timed ? "timed" : "fast", "outcome",
                             code == SL_OK      ? "ok"
                             : code == SL_FAULT ? "fault"
                             : code == SL_LIMIT ? "limit"
                                                : "error",
                             "picoseconds", (json_int_t)sl_gpu_last_picoseconds(device->gpu), "registers",
                             (int)r->registers, "shared_bytes", (int)r->shared_bytes, "blocks_per_sm", (int)r->fits);
  if (object != NULL)
    json_object_set_new(object, "counters", counters_json(device, &r->launch));
  put_line(device, object);
}

static void put_totals(struct sl_host_device *device)
{
  put_line(device, json_pack("{s:b, s:s, s:I, s:I, s:f, s:o}", "totals", 1, "machine", device->config.name, "launches",
                             (json_int_t)device->launches, "picoseconds", (json_int_t)sl_timeline_now(device->timeline),
                             "host_seconds", sl_gpu_seconds(device->gpu), "counters", counters_json(device, NULL)));
}

void sl_host_close(struct sl_host_device *device)
{
  if (device->stats != NULL) {
    put_totals(device);
    fclose(device->stats);
  }
  sl_timeline_close(device->timeline);
  sl_gpu_close(device->gpu);
  sl_config_close(&device->config);
  sl_host_services_free(&device->services);
  *device = (struct sl_host_device){.launches = 0};
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

enum sl_status sl_host_launch(struct sl_host_device *device, struct sl_queue *queue, const struct sl_gpu_launch *launch,
                              struct sl_event *const *waits, size_t wait_count, struct sl_event **event,
                              struct sl_error *err)
{
  const struct sl_command command = {
      .kind = SL_COMMAND_LAUNCH, .launch = launch, .waits = waits, .wait_count = wait_count};
  const bool timed = sl_host_is_timed(&device->options, device->launches);
  struct sl_event *own = NULL;
  if (device->options.timed[0] != '\0')
    sl_gpu_choose_fast(device->gpu, !timed);
  enum sl_status code = sl_queue_add(queue, &command, &own, err);
  if (code != SL_OK)
    return code;
  device->launches++;
  device->timed += timed;
  code = sl_event_times(own).status;
  print_text(device);
  if (code != SL_OK)
    sl_event_error(own, err);
  if (device->stats != NULL)
    put_launch(device, launch, timed, code);
  sl_gpu_forget(device->gpu);
  if (event != NULL)
    *event = own;
  else
    sl_event_release(own);
  return code;
}
