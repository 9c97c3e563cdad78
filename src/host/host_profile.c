#include "host/host_profile.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/whole_file.h"
#include "device/gpu_kind.h"
#include "observe/grid_report.h"
#include "observe/report.h"

enum {
  MOST_LAUNCHES = 4096, /* of a module: the files list each launch */
  LINES = 40,           /* of the text */
  INSTRUCTIONS = 5,     /* of each line of the text */
  PATH = SL_HOST_TEXT + 64
};

/* The profiled launches of a module. */
struct profiled {
  struct profiled *next;
  const struct sl_gpu_module *module;
  char path[PATH];   /* of the PTX */
  struct sl_gpu gpu; /* the records and totals of these launches only */
  struct sl_grid_rows rows;
};

struct sl_host_profile {
  struct profiled *first, **last, *current;
  struct sl_probes probes;
  bool full; /* said once */
};

static bool hear(void *context, const struct sl_probe *probe)
{
  const struct sl_host_profile *profile = context;
  if (profile->current == NULL)
    return true;
  const struct sl_probes own = sl_grid_rows_probes(&profile->current->rows);
  return own.tell(own.context, probe);
}

static void warn(const struct sl_host_device *device, const char *sentence)
{
  if (device->options.warn != NULL)
    device->options.warn(device->options.context, sentence);
}

enum sl_status sl_host_profile_open(struct sl_host_device *device, struct sl_error *err)
{
  struct stat status;
  const char *folder = device->options.profile;
  if (folder[0] == '\0')
    return SL_OK;
  struct sl_host_profile *profile = device->profile = calloc(1, sizeof *profile);
  if (profile == NULL)
    return sl_no_memory(err, sizeof *profile);
  profile->last = &profile->first;
  profile->probes = (struct sl_probes){.wanted = sl_grid_rows_probes(NULL).wanted, .tell = hear, .context = profile};
  if (mkdir(folder, 0777) == 0 || (stat(folder, &status) == 0 && S_ISDIR(status.st_mode)))
    return SL_OK;
  return sl_fail(err, SL_USAGE, "%.300s: the folder of profiles cannot be made", folder);
}

struct sl_probes *sl_host_profile_probes(struct sl_host_profile *profile)
{
  return &profile->probes;
}

void sl_host_profile_module(struct sl_host_device *device, const struct sl_gpu_module *module, const char *text,
                            size_t length)
{
  struct sl_whole_file whole;
  struct sl_error err;
  struct profiled *p = device->profile != NULL ? calloc(1, sizeof *p) : NULL;
  if (p == NULL)
    return;
  p->module = module;
  p->gpu = (struct sl_gpu){.kind = device->gpu->kind,
                           .config = &device->config,
                           .options = device->gpu->options,
                           .state = device->gpu->state};
  snprintf(p->path, sizeof p->path, "%s/module-%u.ptx", device->options.profile, device->modules);
  *device->profile->last = p;
  device->profile->last = &p->next;
  if (sl_whole_file_open(&whole, p->path, &err) == SL_OK) {
    fwrite(text, 1, length, whole.file);
    if (sl_whole_file_close(&whole, false, &err) == SL_OK)
      return;
  }
  warn(device, err.text);
}

void sl_host_profile_begin(struct sl_host_device *device, const struct sl_gpu_module *module, bool timed)
{
  struct sl_host_profile *profile = device->profile;
  if (profile == NULL)
    return;
  struct profiled *p = timed ? profile->first : NULL;
  while (p != NULL && p->module != module)
    p = p->next;
  if (p != NULL && p->gpu.count == MOST_LAUNCHES) {
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
  struct sl_gpu_record *record = sl_gpu_record_begin(&p->gpu, launch);
  if (record == NULL)
    return;
  *record = *sl_gpu_record(device->gpu, count - 1);
  sl_gpu_record_end(&p->gpu, code);
  device->profile->current = NULL;
}

static enum sl_status write_text(const struct sl_grid_profile *profile, const char *path, bool html,
                                 struct sl_error *err)
{
  struct sl_whole_file whole;
  enum sl_status code = sl_whole_file_open(&whole, path, err);
  if (code != SL_OK)
    return code;
  code = html ? sl_grid_profile_html(profile, whole.file, err)
              : sl_grid_profile_print(profile, LINES, INSTRUCTIONS, whole.file, err);
  if (code == SL_OK)
    return sl_whole_file_close(&whole, false, err);
  sl_whole_file_drop(&whole);
  return code;
}

static enum sl_status write_files(const struct profiled *p, struct sl_error *err)
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
  const size_t stem = strlen(p->path) - strlen("ptx");
  char path[PATH + 8];
  struct sl_grid_profile profile;
  enum sl_status code = sl_grid_profile_create(&profile, &run, &p->rows, err);
  if (code == SL_OK)
    code = sl_grid_profile_check(&profile, err);
  snprintf(path, sizeof path, "%.*stxt", (int)stem, p->path);
  if (code == SL_OK)
    code = write_text(&profile, path, false, err);
  snprintf(path, sizeof path, "%.*shtml", (int)stem, p->path);
  if (code == SL_OK)
    code = write_text(&profile, path, true, err);
  snprintf(path, sizeof path, "%.*sjson", (int)stem, p->path);
  if (code == SL_OK)
    code = sl_json_save(sl_grid_profile_json(&profile), path, err);
  sl_grid_profile_free(&profile);
  json_decref(sums);
  return code;
}

void sl_host_profile_close(struct sl_host_device *device)
{
  struct sl_error err;
  if (device->profile == NULL)
    return;
  for (struct profiled *p = device->profile->first, *next; p != NULL; p = next) {
    next = p->next;
    if (p->gpu.count > 0 && write_files(p, &err) != SL_OK)
      warn(device, err.text);
    free(p->gpu.record);
    free(p->rows.slots);
    free(p);
  }
  free(device->profile);
}
