#include "base/grow.h"
#include "cli/help/help.h"
#include "cli/verify/records.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/jobs.h"
#include "cli/session.h"
#include "device/device.h"
#include "device/script.h"
#include "machine/sm7/sm7_spec.h"
#include "observe/report.h"
#include "observe/terminal.h"

/* Recorded figures of a run, by name. */
static const char *const figures[] = {"cycles",    "warp_insn",   "thread_insn", "l1_accesses",
                                      "l1_misses", "l2_accesses", "l2_misses",   "blocks_per_sm"};
enum { FIGURES = sizeof figures / sizeof figures[0], CYCLES = 0 };

/* Recorded variants of kernels, and the keys that configure the same machine. */
static const struct variant {
  const char *name;
  unsigned sms;
  const char *set[3];
} variants[] = {
    {"sm4", 4, {NULL}},
    {"sm1", 1, {NULL}},
    {"sm1gto", 1, {"scheduler=gto"}},
    {"sm80gto", 80, {"scheduler=gto"}},
    {"gto", 80, {"scheduler=gto"}},
    {"regport", 80, {"collectors.steps=8"}},
    {"banks", 80, {"banks=64"}},
    {"cu", 80, {"collectors=32"}},
    {"fetch", 80, {"fetches=8"}},
    {"coldl2", 80, {"l2.warm=false"}},
    {"coldsimple", 80, {"l2.warm=false", "dram.scheduler=fixed"}},
    {"coldfifo", 80, {"l2.warm=false", "dram.scheduler=fifo"}},
    {"simpledram", 80, {"dram.scheduler=fixed"}},
    {"rr", 80, {"crossbar=rr"}},
    {"hash0", 80, {"l2.hash=false"}},
    {"mshr", 80, {"l1.mshrs=4096", "l1.merges=64", "l1.queue=64"}},
    {"l1banks", 80, {"l1.banks=16"}},
    {"dramfifo", 80, {"dram.scheduler=fifo"}},
    {"icache", 80, {"icache=true", "ccache=true"}},
    {"perfmem", 80, {"memory.perfect=true"}},
};

struct program {
  char name[64], path[256];    /* the folder is in reference/ */
  const json_t *record, *base; /* base: the kernel that this is a variant of */
  const struct variant *variant;
  unsigned sms;
  uint64_t ours[FIGURES];
  unsigned compared, equal, wrong_sums;
  enum sl_status code;
  struct sl_error error;
};

struct sm7_run {
  const struct sl_verify_sm7 *verify;
  struct program *program;
  size_t count;
};

static enum sl_status add(struct sm7_run *r, const struct program *p, struct sl_error *err)
{
  if (r->verify->only != NULL && fnmatch(r->verify->only, p->name, 0) != 0)
    return SL_OK;
  if (!SL_GROW(r->program, r->count))
    return sl_no_memory(err, 2 * r->count * sizeof *r->program);
  r->program[r->count++] = *p;
  return SL_OK;
}

static enum sl_status add_micro(struct sm7_run *r, const json_t *root, struct sl_error *err)
{
  static const char *const parts[] = {"a", "b"};
  const char *name;
  json_t *pair;
  enum sl_status code = SL_OK;
  json_object_foreach(json_object_get(root, "micro"), name, pair)
  {
    for (unsigned i = 0; i < 2 && code == SL_OK; i++) {
      struct program p = {.record = json_object_get(pair, parts[i])};
      p.base = p.record;
      p.sms = (unsigned)json_integer_value(json_object_get(pair, "sms"));
      snprintf(p.name, sizeof p.name, "%.50s_%s", name, parts[i]);
      snprintf(p.path, sizeof p.path, "reference/ptx/micro/%s.launch", p.name);
      if (p.record != NULL)
        code = add(r, &p, err);
    }
  }
  return code;
}

static enum sl_status add_variants(struct sm7_run *r, const struct program *kernel, struct sl_error *err)
{
  const json_t *recorded = json_object_get(kernel->base, "variants");
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < sizeof variants / sizeof variants[0] && code == SL_OK; i++) {
    struct program p = *kernel;
    p.record = json_object_get(recorded, variants[i].name);
    p.variant = &variants[i];
    p.sms = variants[i].sms;
    snprintf(p.name, sizeof p.name, "%.40s.%s", kernel->name, variants[i].name);
    if (p.record != NULL)
      code = add(r, &p, err);
  }
  return code;
}

static enum sl_status add_kernels(struct sm7_run *r, const json_t *root, struct sl_error *err)
{
  const char *name, *size;
  json_t *sizes, *record;
  enum sl_status code = SL_OK;
  json_object_foreach(json_object_get(root, "kernels"), name, sizes)
  {
    json_object_foreach(sizes, size, record)
    {
      struct program p = {.record = record, .base = record, .sms = 80};
      snprintf(p.name, sizeof p.name, "%.40s.%.10s", name, size);
      snprintf(p.path, sizeof p.path, "reference/ptx/kernels/%s.launch", p.name);
      if (code == SL_OK)
        code = add(r, &p, err);
      if (code == SL_OK && r->verify->variants)
        code = add_variants(r, &p, err);
    }
  }
  return code;
}

/* The chosen machine, with the recorded number of SMs and the variant's changes. */
static enum sl_status machine_of(const struct sm7_run *r, const struct program *p, struct sl_sm7_spec *spec,
                                 struct sl_error *err)
{
  const struct sl_config *config = r->verify->config;
  *spec = *(const struct sl_sm7_spec *)config->spec;
  spec->fma = SL_SM7_UNFUSED;
  spec->sms_per_cluster = p->sms > 1 ? 2 : 1;
  spec->clusters = p->sms / spec->sms_per_cluster;
  enum sl_status code = SL_OK;
  for (unsigned i = 0; p->variant != NULL && i < 3 && p->variant->set[i] != NULL && code == SL_OK; i++) {
    char key[64];
    const char *value = strchr(p->variant->set[i], '=');
    snprintf(key, sizeof key, "%.*s", (int)(value - p->variant->set[i]), p->variant->set[i]);
    code = sl_key_set(config->machine->keys, spec, key, value + 1, err);
  }
  return code;
}

static void summed(void *context, const char *buffer, uint64_t sum)
{
  struct program *p = context;
  char text[32];
  snprintf(text, sizeof text, "%016" PRIx64, sum);
  const char *recorded = json_string_value(json_object_get(json_object_get(p->base, "sums"), buffer));
  p->wrong_sums += recorded == NULL || strcmp(recorded, text) != 0;
}

/* Recorded figures as counters of the machine; the last is no counter. */
static const char *const counters[FIGURES - 1] = {"cycles",    "warp_instrs", "thread_instrs", "l1.accesses",
                                                  "l1.misses", "l2.accesses", "l2.misses"};

static void take_figures(struct program *p, const struct sl_gpu *gpu)
{
  const struct sl_machine *machine = sl_gpu_config(gpu)->machine;
  const size_t count = sl_gpu_record_count(gpu);
  for (size_t i = 0; i + 1 < FIGURES; i++) {
    size_t counter;
    p->ours[i] = sl_counter_find(machine, counters[i], &counter) ? sl_gpu_total(gpu, counter) : 0;
  }
  p->ours[FIGURES - 1] = count > 0 ? sl_gpu_record(gpu, count - 1)->fits : 0;
}

static enum sl_status play(struct program *p, const char *path, const struct sl_config *config)
{
  const struct sl_gpu_options options = {.registers = (uint32_t)json_integer_value(json_object_get(p->base, "regs"))};
  const struct sl_script_observer observer = {.summed = summed, .context = p};
  struct sl_gpu *gpu = NULL;
  struct sl_script script;
  enum sl_status code = sl_script_load(&script, path, &p->error);
  if (code != SL_OK)
    return code;
  code = sl_gpu_open(&gpu, config, &options, &p->error);
  if (code == SL_OK)
    code = sl_script_perform(&script, gpu, NULL, &observer, &p->error);
  if (code == SL_OK)
    take_figures(p, gpu);
  sl_gpu_close(gpu);
  sl_script_free(&script);
  return code;
}

static void run_program(void *context, size_t index)
{
  const struct sm7_run *r = context;
  struct program *p = &r->program[index];
  char path[SL_PATH];
  struct sl_sm7_spec spec;
  struct sl_config config = *r->verify->config;
  config.spec = &spec;
  p->code = machine_of(r, p, &spec, &p->error);
  if (p->code == SL_OK)
    p->code = sl_find_data(p->path, path, &p->error);
  if (p->code == SL_OK)
    p->code = play(p, path, &config);
}

static uint64_t recorded(const struct program *p, unsigned figure, bool *is)
{
  const json_t *value = json_object_get(p->record, figures[figure]);
  *is = value != NULL;
  return (uint64_t)json_integer_value(value);
}

/* Lists differences and, unless quiet, the cycles. */
static void compare(struct program *p, struct sl_table *table, bool quiet)
{
  for (unsigned i = 0; i < FIGURES && p->code == SL_OK; i++) {
    bool is;
    const uint64_t theirs = recorded(p, i, &is);
    if (!is)
      continue;
    p->compared++;
    p->equal += p->ours[i] == theirs;
    if (p->ours[i] == theirs && (quiet || i != CYCLES))
      continue;
    sl_table_cell(table, "%s", p->name);
    sl_table_cell(table, "%s", figures[i]);
    sl_table_cell(table, "%" PRIu64, p->ours[i]);
    sl_table_cell(table, "%" PRIu64, theirs);
    sl_table_cell(table, "%+.3f", 100 * ((double)p->ours[i] / (double)theirs - 1));
    sl_table_tone(table, p->ours[i] == theirs ? SL_TONE_GOOD : SL_TONE_BAD);
  }
}

static bool agrees(const struct program *p)
{
  return p->code == SL_OK && p->equal == p->compared && p->wrong_sums == 0;
}

static json_t *program_json(const struct program *p)
{
  json_t *json = json_pack("{ss sb si}", "name", p->name, "equal", agrees(p), "wrong_sums", (int)p->wrong_sums);
  if (p->code != SL_OK)
    json_object_set_new(json, "message", json_string(p->error.text));
  for (unsigned i = 0; i < FIGURES && p->code == SL_OK; i++) {
    bool is;
    const uint64_t theirs = recorded(p, i, &is);
    if (is)
      json_object_set_new(json, figures[i],
                          json_pack("{sI sI}", "ours", (json_int_t)p->ours[i], "recorded", (json_int_t)theirs));
  }
  return json;
}

static enum sl_status report(struct sm7_run *r, struct sl_error *err)
{
  static const char *const titles[] = {"program", "figure", ">ours", ">GPGPU-Sim", ">%", NULL};
  FILE *file = sl_is_standard(r->verify->json) ? stderr : stdout;
  struct sl_table table;
  json_t *programs = json_array();
  size_t equal = 0, cycles = 0;
  sl_table_init(&table, titles);
  for (size_t i = 0; i < r->count; i++) {
    struct program *p = &r->program[i];
    bool is;
    compare(p, &table, r->verify->quiet);
    equal += agrees(p);
    cycles += p->code == SL_OK && p->ours[CYCLES] == recorded(p, CYCLES, &is);
    json_array_append_new(programs, program_json(p));
  }
  if (table.count > 0)
    sl_table_print(&table, file);
  sl_table_free(&table);
  for (size_t i = 0; i < r->count; i++) {
    if (r->program[i].code != SL_OK)
      sl_print(file, "%s: %s\n", r->program[i].name, r->program[i].error.text);
    else if (r->program[i].wrong_sums)
      sl_print(file, "%s: %u checksums of memory differ\n", r->program[i].name, r->program[i].wrong_sums);
  }
  sl_print(file,
           "%s against GPGPU-Sim's SM7_TITANV: %zu of %zu programs take the same cycles, %zu agree in all figures\n",
           r->verify->config->name, cycles, r->count, equal);
  json_t *whole = json_pack("{si ss so sI sI sI so}", "schema", 1, "simtlab", SL_VERSION, "machine",
                            sl_config_json(r->verify->config), "programs_equal", (json_int_t)equal, "cycles_equal",
                            (json_int_t)cycles, "programs_compared", (json_int_t)r->count, "programs", programs);
  enum sl_status code = SL_OK;
  if (r->verify->json != NULL)
    code = sl_json_save(sl_with_provenance(whole), r->verify->json, err);
  else
    json_decref(whole);
  return code == SL_OK && equal < r->count ? SL_CHECK_FAILED : code;
}

enum sl_status sl_verify_sm7(const struct sl_verify_sm7 *verify, struct sl_error *err)
{
  char path[SL_PATH];
  json_error_t json_error;
  struct sm7_run r = {.verify = verify};
  enum sl_status code = sl_find_data("reference/ptx/cycles.json", path, err);
  if (code != SL_OK)
    return code;
  json_t *root = json_load_file(path, 0, &json_error);
  if (root == NULL)
    return sl_fail(err, SL_USAGE, "%.300s:%d: %s; install the records again", path, json_error.line, json_error.text);
  code = add_micro(&r, root, err);
  if (code == SL_OK)
    code = add_kernels(&r, root, err);
  if (code == SL_OK && r.count == 0)
    code = sl_fail(err, SL_USAGE, "no recorded program's name matches '%.100s'", verify->only ? verify->only : "*");
  if (code == SL_OK) {
    sl_parallel(verify->jobs, r.count, run_program, &r);
    code = report(&r, err);
  }
  free(r.program);
  json_decref(root);
  return code;
}
