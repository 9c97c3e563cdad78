#include "device/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keys.h"
#include "device/device_state.h"
#include "device/engine/launch_sampling.h"
#include "device/engine/sampled_launches.h"
#include "device/fault_text.h"
#include "machine/machine_state.h"

/* Prints a word of a kernel (simulation only). The next console output reports an error again. */
static void print_word(void *context, uint32_t word)
{
  struct sl_device *device = context;
  for (int shift = 28; shift >= 0; shift -= 4)
    sl_device_put(device, (uint8_t) "0123456789abcdef"[(word >> shift) & 15], NULL);
  sl_device_put(device, '\n', NULL);
}

/* U,W,K and a seed, or auto and a seed. */
static bool take_plan(const char *text, struct sl_sampling *plan)
{
  uint64_t *const number[] = {&plan->measured, &plan->warm, &plan->skipped};
  const bool automatic = strncmp(text, "auto", 4) == 0;
  for (size_t i = 0; i < 3 && !automatic; i++) {
    if (i > 0 && *text++ != ',')
      return false;
    if (!sl_take_digits(&text, number[i]) || *number[i] > UINT32_MAX)
      return false;
  }
  text += automatic ? 4 : 0;
  if (*text == ',' && (text++, !sl_take_digits(&text, &plan->seed)))
    return false;
  return *text == '\0' && (automatic || (plan->measured >= 2 && plan->skipped > 0));
}

enum sl_status sl_choose_sampling(struct sl_sampling_choice *choice, const char *text, struct sl_error *err)
{
  *choice = (struct sl_sampling_choice){.wanted = true, .plan = {.seed = 1}};
  return take_plan(text, &choice->plan)
             ? SL_OK
             : sl_fail(err, SL_USAGE,
                       "--sample takes U,W,K or auto, and after either a comma and a SEED: warp instructions to "
                       "measure (2 or more), to warm up, and to skip (1 or more), each of 32 bits; not '%.80s'",
                       text);
}

uint64_t sl_configuration_hash(const struct sl_config *config)
{
  const struct sl_keys *keys = config->machine->keys;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (const char *c = config->machine->name; *c; c++)
    hash = (hash ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
  for (size_t i = 0; i < keys->count; i++)
    hash = (hash ^ sl_key_value(&keys->key[i], config->spec)) * UINT64_C(0x100000001b3);
  return hash;
}

static void end_program(void *context, uint32_t status)
{
  struct sl_device *device = context;
  device->ended = true;
  device->result.status = (int)status;
}

static void print_byte(void *context, uint8_t byte)
{
  sl_device_put(context, byte, NULL);
}

static void exit_status(void *context, uint32_t status)
{
  struct sl_device *device = context;
  device->exit_status = (int)status;
}

enum sl_status sl_device_create(const struct sl_config *config, const struct sl_device_options *options,
                                struct sl_device **device, struct sl_error *err)
{
  struct sl_device *d = calloc(1, sizeof *d);
  if (d == NULL)
    return sl_no_memory(err, sizeof *d);
  d->machine = config->machine;
  memcpy(d->name, config->name, sizeof d->name);
  d->options = *options;
  d->input.next = -2;
  d->soc = d->machine->soc(config->spec);
  d->unsampled = d->machine->sampling.refuses != NULL ? d->machine->sampling.refuses(config->spec) : NULL;
  d->configuration = sl_configuration_hash(config);
  sl_allocator_init(&d->buffers, d->soc.buffers_base, d->soc.buffers_end);
  const struct sl_soc *soc = &d->soc;
  enum sl_status code = sl_memory_init(&d->memory, soc->no_host ? 0 : soc->code_base + soc->code_words * 4, err);
  if (code == SL_OK && soc->memory_fill != 0)
    sl_memory_fill(&d->memory, soc->memory_fill);
  if (code == SL_OK && !soc->no_host)
    code = sl_host_init(&d->host, &d->memory, soc->code_base, soc->code_words, soc->host_isa_sets, err);
  const struct sl_sm_environment environment = {
      .memory = &d->memory,
      .probes = options->probes.wanted != 0 ? &d->options.probes : NULL,
      .print_word = print_word,
      .end_program = end_program,
      .print_byte = print_byte,
      .exit_status = exit_status,
      .kernel = sl_spans_kernel,
      .print_context = d,
      .portable_lanes = options->portable_lanes,
      .lanewise = options->lanewise,
      .mode = options->mode,
      .threads = options->threads,
  };
  if (code == SL_OK)
    code = d->machine->life.create(config->spec, &environment, &d->sm, err);
  if (code != SL_OK) {
    sl_device_destroy(d);
    return code;
  }
  d->sm->order = options->order;
  *device = d;
  return SL_OK;
}

void sl_device_destroy(struct sl_device *device)
{
  if (device == NULL)
    return;
  device->machine->life.destroy(device->sm);
  sl_host_free(&device->host);
  sl_memory_free(&device->memory);
  sl_allocator_free(&device->buffers);
  free(device->loaded);
  free(device->launches);
  free(device->sampled_kernels);
  sl_sampler_close(&device->sampler);
  sl_launch_sampler_close(device->launch_sampler);
  free(device->block_sampler);
  free(device);
}

struct sl_fault_place sl_device_place(const struct sl_device *device)
{
  return (struct sl_fault_place){.machine = device->name,
                                 .advice = device->machine->advice,
                                 .isa_sets = device->soc.isa_sets,
                                 .program = device->direct.under_way ? device->direct.program : device->program,
                                 .warps_per_block = device->interface.warps_per_block & (device->soc.warps - 1),
                                 .warps = device->soc.warps,
                                 .cores = device->soc.cores};
}

enum sl_status sl_device_fault(struct sl_device *device, const struct sl_fault *fault, struct sl_error *err)
{
  char text[700], waiting[300] = "", warps[300] = "";
  device->last_fault = *fault;
  const struct sl_fault_place where = sl_device_place(device);
  sl_fault_format(fault, &where, text, sizeof text);
  if (fault->kind == SL_FAULT_LIVELOCK)
    sl_waiting_format(device->machine, device->sm, fault, &where, waiting, sizeof waiting);
  if (fault->kind == SL_FAULT_DEADLOCK || fault->kind == SL_FAULT_WARPS_WAIT || fault->kind == SL_FAULT_LIVELOCK ||
      fault->kind == SL_FAULT_SPILL)
    sl_warps_format(device->machine, device->sm, &where, warps, sizeof warps);
  return sl_fail(err, fault->kind == SL_FAULT_INTERNAL ? SL_INTERNAL : SL_FAULT, "%s%s%s%s%s", text,
                 waiting[0] ? "; " : "", waiting, warps[0] ? ". " : "", warps);
}

bool sl_device_warning(const struct sl_device *device, char *text, size_t size)
{
  const struct sl_machine_view *view = &device->machine->view;
  const uint32_t pc = view->disagreed_at != NULL ? view->disagreed_at(device->sm) : 0;
  const struct sl_program *program = device->program != NULL ? device->program : device->direct.program;
  if (pc == 0 || program == NULL)
    return false;
  char where[300];
  sl_location_format(program, pc, where, sizeof where);
  snprintf(text, size,
           "%s, pc 0x%08" PRIx32
           " in %s: lanes of a warp diverged at this branch, and one lane decided it for all, so that "
           "results may be wrong. simtlab cc warns of such branches. Annotate a branch of the source, or compile with "
           "--marks=auto; write an expression that became a branch as an if statement. Library code has no annotations",
           device->name, pc, where);
  return true;
}

static bool line_begins(const struct sl_device *device, const char *text)
{
  const size_t length = strlen(text);
  return device->line_length >= length && memcmp(device->line, text, length) == 0;
}

/* Recognises the lines in which programs of the published suite report the result of their own check. */
static void watch_line(struct sl_device *device, uint8_t byte)
{
  if (byte == '\n') {
    device->failed_line |= line_begins(device, "Self test: FAILED");
    device->passed_line |= line_begins(device, "Self test: PASSED");
    device->line_length = 0;
  } else if (device->line_length < sizeof device->line) {
    device->line[device->line_length++] = (char)byte;
  }
}

enum sl_status sl_device_put(struct sl_device *device, uint8_t byte, struct sl_error *err)
{
  struct sl_console *console = &device->options.console;
  watch_line(device, byte);
  if (console->put == NULL || console->put(console->context, byte) == 0)
    return SL_OK;
  return sl_fail(err, SL_USAGE, "the program's console output cannot be written");
}

const struct sl_result *sl_device_result(const struct sl_device *device)
{
  return &device->result;
}

uint64_t sl_device_memory_hash(const struct sl_device *device)
{
  return sl_memory_hash_outside(&device->memory, device->soc.spill_base, device->soc.spill_bytes);
}

void sl_device_read(const struct sl_device *device, uint32_t address, void *bytes, size_t size)
{
  sl_memory_read(&device->memory, address, bytes, size);
}

const uint8_t *sl_device_map(struct sl_device *device, uint32_t address, size_t *size)
{
  struct sl_memory *memory = &device->memory;
  const uint8_t *first = sl_memory_at(memory, address);
  size_t mapped = SL_PAGE_BYTES - (address & (SL_PAGE_BYTES - 1));
  while (mapped < *size && sl_memory_at(memory, (uint32_t)(address + mapped)) == first + mapped)
    mapped += SL_PAGE_BYTES;
  if (mapped < *size)
    *size = mapped;
  return memory->exhausted ? NULL : first;
}

void sl_device_write(struct sl_device *device, uint32_t address, const void *bytes, size_t size)
{
  sl_memory_write(&device->memory, address, bytes, size);
}

const struct sl_machine *sl_device_machine(const struct sl_device *device)
{
  return device->machine;
}

const struct sl_sm *sl_device_sm(const struct sl_device *device)
{
  return device->sm;
}

void sl_device_state_each(struct sl_device *device, void (*see)(void *context, const struct sl_value *value),
                          void *context)
{
  sl_state_each(device->sm, see, context);
}

const struct sl_soc *sl_device_soc(const struct sl_device *device)
{
  return &device->soc;
}

bool sl_device_set_register(struct sl_device *device, unsigned warp, unsigned lane, unsigned reg, uint32_t value)
{
  return device->machine->view.write_register(device->sm, warp, lane, reg, value);
}

bool sl_device_set_pc(struct sl_device *device, unsigned warp, unsigned lane, uint32_t pc)
{
  return device->machine->view.write_pc(device->sm, warp, lane, pc);
}

const struct sl_series *sl_device_residency(const struct sl_device *device)
{
  if (device->result.launch_count == 0 || device->options.fast || device->machine->view.residency == NULL)
    return NULL;
  const struct sl_series *series = device->machine->view.residency(device->sm);
  return series != NULL && series->count > 0 ? series : NULL;
}

uint32_t sl_device_host_register(const struct sl_device *device, unsigned reg)
{
  return reg == 0 || reg > 31 ? 0 : device->host.x[reg];
}

uint32_t sl_device_host_pc(const struct sl_device *device)
{
  return device->host.pc;
}

void sl_device_set_host_register(struct sl_device *device, unsigned reg, uint32_t value)
{
  if (reg > 0 && reg < 32)
    device->host.x[reg] = value;
}

void sl_device_set_host_pc(struct sl_device *device, uint32_t pc)
{
  device->host.pc = pc;
}

const struct sl_insn *sl_device_host_instruction(const struct sl_device *device)
{
  return device->soc.no_host ? NULL : sl_code_at(&device->host.code, device->host.pc);
}

uint8_t *sl_device_lane_byte(struct sl_device *device, unsigned warp, unsigned lane, uint32_t address)
{
  uint8_t *(*const find)(struct sl_sm *, unsigned, unsigned, uint32_t) = device->machine->view.lane_byte;
  return find != NULL ? find(device->sm, warp, lane, address) : NULL;
}

void sl_device_observe(struct sl_device *device, unsigned wanted)
{
  device->options.probes.wanted = wanted;
}

uint64_t sl_counter_total(const struct sl_machine *machine, size_t counter, const struct sl_launch *launches,
                          size_t count)
{
  const bool level = machine->counters->counter[counter].role == SL_COUNTER_GREATEST;
  uint64_t total = 0;
  for (size_t i = 0; i < count; i++) {
    const uint64_t value = launches[i].counters[counter];
    if (!level)
      total += value;
    else if (value > total)
      total = value;
  }
  return total;
}

bool sl_counter_find(const struct sl_machine *machine, const char *name, size_t *index)
{
  for (size_t i = 0; i < machine->counters->count; i++)
    if (strcmp(machine->counters->counter[i].name, name) == 0) {
      *index = i;
      return true;
    }
  return false;
}
