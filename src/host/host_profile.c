#include "host/host_observers.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/whole_file.h"
#include "device/gpu_kind.h"
#include "observe/grid_report.h"
#include "observe/profile/profile.h"
#include "observe/report.h"

enum {
  MOST_LAUNCHES = 4096, /* of a module: the files list each launch */
  LINES = 40,           /* of the text */
  INSTRUCTIONS = 5      /* of each line of the text */
};

/* The profiled launches of a module. PTX is profiled by issue slots, machine code by cycles. */
struct profiled {
  struct profiled *next;
  const struct sl_gpu_module *module;
  char path[SL_HOST_PATH], source[SL_HOST_PATH];
  struct sl_gpu gpu; /* PTX: the records and totals of these launches only */
  struct sl_grid_rows rows;
  struct sl_profile_collector collector; /* machine code */
  struct sl_launch *launches;
  size_t launch_count;
};

struct sl_host_profile {
  struct profiled *first, **last, *current;
  struct sl_probes probes;
  bool full; /* said once */
};

static bool hear(void *context, const struct sl_probe *probe)
{
  const struct sl_host_profile *profile = context;
  struct profiled *p = profile->current;
  struct sl_probe own = *probe;
  if (p == NULL)
    return true;
  const bool ptx = p->module->ptx != NULL;
  const struct sl_probes to = ptx ? sl_grid_rows_probes(&p->rows) : sl_profile_collector_probes(&p->collector);
  if (!ptx)
    own.launch = (unsigned)p->launch_count; /* the device forgets launches */
  return (to.wanted & probe->kind) == 0 || to.tell(to.context, &own);
}

static void warn(const struct sl_host_device *device, const char *sentence)
{
  if (device->options.warn != NULL)
    device->options.warn(device->options.context, sentence);
}

enum sl_status sl_host_profile_open(struct sl_host_device *device, struct sl_error *err)
{
  const char *folder = device->options.profile;
  if (folder[0] == '\0')
    return SL_OK;
  struct sl_host_profile *profile = device->profile = calloc(1, sizeof *profile);
  if (profile == NULL)
    return sl_no_memory(err, sizeof *profile);
  profile->last = &profile->first;
  profile->probes = (struct sl_probes){.wanted = device->config.machine->ptx != NULL ? sl_grid_rows_probes(NULL).wanted
                                                                                     : sl_profile_probes(NULL).wanted,
                                       .tell = hear,
                                       .context = profile};
  return sl_host_make_folder(folder, "profiles", err);
}

struct sl_probes *sl_host_profile_probes(struct sl_host_profile *profile)
{
  return &profile->probes;
}

void sl_host_profile_module(struct sl_host_device *device, const struct sl_gpu_module *module,
                            const struct sl_host_code *code)
{
  struct sl_error err = {.code = SL_OK};
  struct profiled *p = device->profile != NULL ? calloc(1, sizeof *p) : NULL;
  if (p == NULL)
    return;
  p->module = module;
  p->gpu = (struct sl_gpu){.kind = device->gpu->kind,
                           .config = &device->config,
                           .options = device->gpu->options,
                           .state = device->gpu->state};
  if (module->ptx == NULL) {
    const struct sl_soc soc = device->config.machine->soc(device->config.spec);
    const enum sl_status made = sl_profile_collector_create(&p->collector, &soc, module->program, &err);
    p->collector.device = sl_gpu_device(device->gpu);
    if (made != SL_OK) {
      warn(device, err.text);
      free(p);
      return;
    }
  }
  *device->profile->last = p;
  device->profile->last = &p->next;
  if (sl_host_module_write(device, device->options.profile, code, p->path, p->source, &err) != SL_OK)
    warn(device, err.text);
  if (module->owned != NULL && p->source[0] != '\0')
    sl_program_rename_source(module->owned, SL_HOST_SOURCE, p->source);
}

void sl_host_profile_begin(struct sl_host_device *device, const struct sl_gpu_module *module, bool timed)
{
  struct sl_host_profile *profile = device->profile;
  if (profile == NULL)
    return;
  struct profiled *p = timed ? profile->first : NULL;
  while (p != NULL && p->module != module)
    p = p->next;
  if (p != NULL && p->gpu.count + p->launch_count == MOST_LAUNCHES) {
    if (!profile->full)
      warn(device, "a profile covers the first 4096 launches of its module; the others are not in it");
    profile->full = true;
    p = NULL;
  }
  profile->current = p;
}

void sl_host_profile_end(struct sl_host_device *device, const struct sl_gpu_launch *launch, enum sl_status code)
{
  struct profiled *p = device->profile != NULL ? device->profile->current : NULL;
  const size_t count = sl_gpu_record_count(device->gpu);
  if (p == NULL || count == 0)
    return;
  device->profile->current = NULL;
  if (p->module->ptx == NULL) {
    if (SL_GROW(p->launches, p->launch_count)) {
      p->launches[p->launch_count] = sl_gpu_record(device->gpu, count - 1)->launch;
      p->launches[p->launch_count].number = p->launch_count;
      p->launch_count++;
    }
    return;
  }
  struct sl_gpu_record *record = sl_gpu_record_begin(&p->gpu, launch);
  if (record == NULL)
    return;
  *record = *sl_gpu_record(device->gpu, count - 1);
  sl_gpu_record_end(&p->gpu, code);
}

/* A profile of either kind. */
struct shown {
  const struct sl_grid_profile *grids;
  const struct sl_profile_report *program;
};

static enum sl_status write_text(const struct shown *s, const char *path, bool html, struct sl_error *err)
{
  static const struct sl_profile_extent extent = {.lines = LINES, .insns = INSTRUCTIONS};
  struct sl_whole_file whole;
  enum sl_status code = sl_whole_file_open(&whole, path, err);
  if (code != SL_OK)
    return code;
  if (s->grids != NULL)
    code = html ? sl_grid_profile_html(s->grids, whole.file, err)
                : sl_grid_profile_print(s->grids, LINES, INSTRUCTIONS, whole.file, err);
  else
    code = html ? sl_profile_html(s->program, whole.file, err) : sl_profile_print(s->program, &extent, whole.file, err);
  if (code == SL_OK)
    return sl_whole_file_close(&whole, false, err);
  sl_whole_file_drop(&whole);
  return code;
}

static enum sl_status write_files(const struct profiled *p, const struct shown *s, struct sl_error *err)
{
  const size_t stem = strlen(p->path) - strlen("ptx");
  char path[SL_HOST_PATH + 8];
  snprintf(path, sizeof path, "%.*stxt", (int)stem, p->path);
  enum sl_status code = write_text(s, path, false, err);
  snprintf(path, sizeof path, "%.*shtml", (int)stem, p->path);
  if (code == SL_OK)
    code = write_text(s, path, true, err);
  snprintf(path, sizeof path, "%.*sjson", (int)stem, p->path);
  if (code == SL_OK)
    code = sl_json_save(s->grids != NULL ? sl_grid_profile_json(s->grids) : sl_profile_json(s->program), path, err);
  return code;
}

static enum sl_status write_grids(const struct profiled *p, struct sl_error *err)
{
  const struct sl_error none = {.code = SL_OK};
  json_t *sums = json_object();
  const struct sl_grid_report run = {.version = SL_VERSION,
                                     .gpu = &p->gpu,
                                     .file = p->path,
                                     .module = p->path,
                                     .sums = sums,
                                     .error = &none,
                                     .seconds = p->gpu.seconds};
  struct sl_grid_profile profile;
  enum sl_status code = sl_grid_profile_create(&profile, &run, &p->rows, err);
  if (code == SL_OK)
    code = sl_grid_profile_check(&profile, err);
  if (code == SL_OK)
    code = write_files(p, &(struct shown){.grids = &profile}, err);
  sl_grid_profile_free(&profile);
  json_decref(sums);
  return code;
}

static enum sl_status write_program(const struct sl_host_device *device, const struct profiled *p, struct sl_error *err)
{
  const struct sl_error none = {.code = SL_OK};
  const struct sl_residency *residency = &p->collector.residency;
  const struct sl_result result = {.launches = p->launches, .launch_count = p->launch_count};
  const struct sl_profile_run run = {.version = SL_VERSION,
                                     .config = &device->config,
                                     .program = p->module->program,
                                     .profile = &p->collector.profile,
                                     .result = &result,
                                     .residency =
                                         residency->count > 0 ? &residency->launch[residency->count - 1].series : NULL,
                                     .launches = residency,
                                     .occupancies = &p->collector.occupancies,
                                     .error = &none};
  struct sl_profile_report report;
  enum sl_status code = sl_profile_report_create(&report, &run, err);
  if (code != SL_OK)
    return code;
  code = sl_profile_check(&report, err);
  if (code == SL_OK)
    code = write_files(p, &(struct shown){.program = &report}, err);
  sl_profile_report_free(&report);
  return code;
}

void sl_host_profile_close(struct sl_host_device *device)
{
  struct sl_error err;
  if (device->profile == NULL)
    return;
  for (struct profiled *p = device->profile->first, *next; p != NULL; p = next) {
    next = p->next;
    if ((p->gpu.count > 0 && write_grids(p, &err) != SL_OK) ||
        (p->launch_count > 0 && write_program(device, p, &err) != SL_OK))
      warn(device, err.text);
    free(p->gpu.record);
    free(p->rows.slots);
    sl_profile_collector_free(&p->collector);
    free(p->launches);
    free(p);
  }
  free(device->profile);
}
