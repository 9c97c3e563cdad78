/* The run loop of a device: the host CPU in time slices, and the SM whenever the host waits for it. Limits and pauses
 * are checked between slices. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device/device_state.h"
#include "device/engine/sampled_launches.h"

/* CSRs of the host CPU: console, cycle counter, and the SM's host interface. Source: SIMTight's published SoC. */

/* CSRs of the host CPU. Source: SIMTight's published SoC, except for the additions that are marked as such. */
enum {
  CSR_PRINT_WORD = 0x800, /* simulation only */
  CSR_END = 0x801,        /* simulation only: ends the program; the value is its exit status */
  CSR_CAN_PUT = 0x802,
  CSR_PUT = 0x803,
  CSR_CAN_GET = 0x804,
  CSR_GET = 0x805,
  CSR_SIMT_CAN_PUT = 0x820,
  CSR_SIMT_CODE_ADDRESS = 0x821,
  CSR_SIMT_CODE_WORD = 0x822,
  CSR_SIMT_START = 0x823,
  CSR_SIMT_CAN_GET = 0x824,
  CSR_SIMT_GET = 0x825,
  CSR_SIMT_CLOSURE = 0x826,
  CSR_SIMT_WARPS_PER_BLOCK = 0x827,
  CSR_SIMT_COUNTER = 0x828,
  CSR_SIMT_CORES = 0x82e, /* multiprocessors; an addition, for machines with several */
  CSR_SIMT_SHAPE = 0x82f, /* lanes, warps, scratchpad KiB; an addition: reads 0 in the published SoC */
  CSR_CYCLE = 0xc00,
  CSR_CYCLE_HIGH = 0xc80,
  CSR_HART_ID = 0xf14
};

enum {
  POLLS_AFTER_END = 1 << 20 /* polls of ended console input after which the program counts as stuck */
};

static void answer(struct sl_device *device, uint32_t value)
{
  struct sl_host_interface *i = &device->interface;
  i->answer[(i->first_answer + i->answer_count++) % SL_ANSWERS_MAX] = value;
}

static uint32_t take_answer(struct sl_device *device)
{
  struct sl_host_interface *i = &device->interface;
  uint32_t value = i->answer[i->first_answer];
  i->first_answer = (i->first_answer + 1) % SL_ANSWERS_MAX;
  i->answer_count--;
  return value;
}

/* The value of a counter by its hardware number; 0 for unknown numbers. */
static uint32_t counter(const struct sl_device *device, uint32_t id)
{
  const struct sl_counters *counters = device->machine->counters;
  for (size_t i = 0; i < counters->count; i++)
    if (counters->counter[i].rtl_id == (int)id)
      return (uint32_t)device->machine->view.counter(device->sm, i);
  return 0;
}

/* Simulates a started kernel to its end. The simulation is deferred until the host depends on it. */
static enum sl_status finish_kernel(struct sl_device *device, struct sl_error *err)
{
  return device->interface.kernel_started ? sl_device_run_kernel(device, err) : SL_OK;
}

static int peek_input(struct sl_device *device)
{
  struct sl_console *console = &device->options.console;
  if (device->input.next == SL_INPUT_UNREAD)
    device->input.next = console->get ? console->get(console->context) : SL_CONSOLE_END;
  return device->input.next;
}

static enum sl_status can_get(struct sl_device *device, uint32_t *value, struct sl_error *err)
{
  *value = peek_input(device) != SL_CONSOLE_END;
  if (*value || ++device->input.polls_after_end < POLLS_AFTER_END)
    return SL_OK;
  char location[256];
  sl_location_format(device->program, device->host.pc, location, sizeof location);
  return sl_fail(err, SL_FAULT,
                 "%s host CPU, pc 0x%08" PRIx32 " in %s: the program waits for console input, but its input has ended. "
                 "Give it input on stdin",
                 device->name, device->host.pc, location);
}

static uint32_t get(struct sl_device *device)
{
  int byte = peek_input(device);
  if (byte == SL_CONSOLE_END)
    return 0;
  device->input.next = SL_INPUT_UNREAD;
  device->input.polls_after_end = 0;
  return (uint32_t)byte;
}

static enum sl_status print_word(struct sl_device *device, uint32_t word, struct sl_error *err)
{
  char text[16];
  int n = snprintf(text, sizeof text, "%08" PRIx32 "\n", word);
  for (int i = 0; i < n; i++) {
    enum sl_status code = sl_device_put(device, (uint8_t)text[i], err);
    if (code != SL_OK)
      return code;
  }
  return SL_OK;
}

/* Reports misuse that the published SoC silently accepts: reading a missing answer, or code that wraps to the beginning
 * of instruction memory. */
static enum sl_status misuse(const struct sl_device *device, const char *what, struct sl_error *err)
{
  char location[256];
  sl_location_format(device->program, device->host.pc, location, sizeof location);
  return sl_fail(err, SL_FAULT, "%s host CPU, pc 0x%08" PRIx32 " in %s: %s", device->name, device->host.pc, location,
                 what);
}

static enum sl_status write_code(struct sl_device *device, uint32_t word, struct sl_error *err)
{
  const uint32_t address = device->interface.code_address, offset = address - device->soc.code_base;
  if (offset / 4 >= device->soc.code_words || offset % 4 != 0) {
    char what[200];
    snprintf(what, sizeof what,
             "CSR 0x822 writes a word of code to 0x%08" PRIx32 ", outside instruction memory, whose words begin "
             "at 0x%08" PRIx32 " and number %" PRIu32 ". Write a valid address to CSR 0x821 first",
             address, device->soc.code_base, device->soc.code_words);
    return misuse(device, what, err);
  }
  device->machine->life.write_instruction(device->sm, address, word);
  return SL_OK;
}

static enum sl_status simt(struct sl_device *device, unsigned csr, uint32_t operand, uint32_t *value,
                           struct sl_error *err)
{
  struct sl_host_interface *i = &device->interface;
  enum sl_status code = finish_kernel(device, err);
  if (code != SL_OK)
    return code;
  switch (csr) {
  case CSR_SIMT_CAN_PUT: *value = i->answer_count < SL_ANSWERS_MAX; break;
  case CSR_SIMT_CODE_ADDRESS: i->code_address = operand; break;
  case CSR_SIMT_CODE_WORD: return write_code(device, operand, err);
  case CSR_SIMT_START:
    i->kernel_started = true;
    i->kernel_entry = operand;
    break;
  case CSR_SIMT_CAN_GET: *value = i->answer_count > 0; break;
  case CSR_SIMT_GET:
    if (i->answer_count == 0)
      return misuse(device,
                    "CSR 0x825 reads an answer of the SM, but there is none. Read CSR 0x824 first, and CSR 0x825 only "
                    "when that is 1",
                    err);
    *value = take_answer(device);
    break;
  case CSR_SIMT_CLOSURE: i->closure = operand; break;
  case CSR_SIMT_WARPS_PER_BLOCK: i->warps_per_block = operand; break;
  case CSR_SIMT_COUNTER:
    if (i->answer_count < SL_ANSWERS_MAX)
      answer(device, counter(device, operand));
    break;
  default: *value = device->soc.lanes | device->soc.warps << 8 | (device->soc.scratchpad_bytes >> 10) << 16; break;
  }
  return SL_OK;
}

/* CSRs with a write effect; they read as 0. */
static bool only_written(unsigned csr)
{
  switch (csr) {
  case CSR_PRINT_WORD:
  case CSR_END:
  case CSR_PUT:
  case CSR_SIMT_CODE_ADDRESS:
  case CSR_SIMT_CODE_WORD:
  case CSR_SIMT_START:
  case CSR_SIMT_CLOSURE:
  case CSR_SIMT_WARPS_PER_BLOCK:
  case CSR_SIMT_COUNTER: return true;
  default: return false;
  }
}

static enum sl_status access(struct sl_device *device, const struct sl_insn *in, uint32_t operand, uint32_t *value,
                             struct sl_error *err)
{
  const uint64_t cycles = device->host.instructions + device->sm_cycles;
  switch (in->csr) {
  case CSR_PRINT_WORD: return print_word(device, operand, err);
  case CSR_END:
    device->ended = true;
    device->result.status = (int)operand;
    return SL_OK;
  case CSR_CAN_PUT: *value = 1; return SL_OK;
  case CSR_PUT:
    device->ended = (operand & 0xff) == 0;
    return device->ended ? SL_OK : sl_device_put(device, (uint8_t)operand, err);
  case CSR_CAN_GET: return can_get(device, value, err);
  case CSR_GET: *value = get(device); return SL_OK;
  case CSR_CYCLE: *value = (uint32_t)cycles; return SL_OK;
  case CSR_CYCLE_HIGH: *value = (uint32_t)(cycles >> 32); return SL_OK;
  case CSR_HART_ID: return SL_OK;
  case CSR_SIMT_CORES: *value = device->soc.cores; return SL_OK;
  case CSR_SIMT_SHAPE:
  case CSR_SIMT_CAN_PUT:
  case CSR_SIMT_CODE_ADDRESS:
  case CSR_SIMT_CODE_WORD:
  case CSR_SIMT_START:
  case CSR_SIMT_CAN_GET:
  case CSR_SIMT_GET:
  case CSR_SIMT_CLOSURE:
  case CSR_SIMT_WARPS_PER_BLOCK:
  case CSR_SIMT_COUNTER: return simt(device, in->csr, operand, value, err);
  default: {
    const struct sl_fault fault = {
        .kind = SL_FAULT_CSR, .warp = -1, .lanes = 1, .pc = device->host.pc, .address = in->csr, .insn = *in};
    return sl_device_fault(device, &fault, err);
  }
  }
}

/* Performs the CSR instruction at which the host CPU has stopped. */
static enum sl_status device_host_csr(struct sl_device *device, struct sl_error *err)
{
  bool writes;
  uint32_t operand, value = 0;
  const struct sl_insn *in = sl_host_csr(&device->host, &writes, &operand);
  enum sl_status code = SL_OK;
  if (writes || !only_written(in->csr))
    code = access(device, in, operand, &value, err);
  if (code == SL_OK)
    sl_host_finish_csr(&device->host, value);
  return code;
}

enum { HOST_SLICE = 1 << 22 /* host instructions between checks of the limits */ };

/* Handles a jump to itself. Programs of the published suite end in one after their own check; other programs stay there
 * when they give up. */
static enum sl_status end_in_loop(struct sl_device *device, struct sl_error *err)
{
  char where[300];
  device->ended = true;
  if (device->passed_line || device->failed_line)
    return SL_OK;
  sl_location_format(device->program, device->host.pc, where, sizeof where);
  return sl_fail(err, SL_LIMIT,
                 "%s, pc 0x%08" PRIx32 " in %s: the host program loops forever, by a jump to itself; a program ends "
                 "when main returns or calls exit",
                 device->name, device->host.pc, where);
}

static enum sl_status run_host(struct sl_device *device, struct sl_error *err)
{
  while (!device->ended) {
    uint64_t slice = sl_device_budget(device, HOST_SLICE);
    if (slice == 0)
      return sl_device_stop(device, err);
    const enum sl_host_stop stop = sl_host_run(&device->host, slice);
    enum sl_status code = sl_device_check_memory(device, err);
    if (code != SL_OK)
      return code;
    switch (stop) {
    case SL_HOST_BUDGET: code = sl_device_progress(device, err); break;
    case SL_HOST_CSR: code = device_host_csr(device, err); break;
    case SL_HOST_RETURNED: device->ended = true; break;
    case SL_HOST_SPINS: code = end_in_loop(device, err); break;
    case SL_HOST_FAULTED: code = sl_device_fault(device, &device->host.fault, err); break;
    }
    if (code != SL_OK)
      return code;
  }
  return SL_OK;
}

/* Without a host CPU the program is a single launch of all warps at its entry. */
static enum sl_status run_alone(struct sl_device *device, struct sl_error *err)
{
  if (device->ended)
    return SL_OK;
  device->interface.kernel_started = true;
  device->interface.kernel_entry = device->soc.start != 0 ? device->soc.start : sl_program_entry(device->program);
  enum sl_status code = sl_device_run_kernel(device, err);
  if (code != SL_OK || device->ended)
    return code;
  device->ended = true;
  device->result.status = device->machine->view.succeeded(device->sm) ? device->exit_status : 1;
  return SL_OK;
}

enum sl_status sl_device_run_for(struct sl_device *device, uint64_t cycles, struct sl_error *err)
{
  if (device->program == NULL)
    return sl_fail(err, SL_USAGE, "%s: no program has been loaded", device->name);
  if (sl_device_check_memory(device, err) != SL_OK)
    return SL_INTERNAL;
  const double started = sl_device_seconds();
  device->pause_at = cycles > UINT64_MAX - sl_device_elapsed(device) ? UINT64_MAX : sl_device_elapsed(device) + cycles;
  enum sl_status code = device->soc.no_host ? run_alone(device, err) : run_host(device, err);
  device->result.host_seconds += sl_device_seconds() - started;
  device->result.host_instructions = device->host.instructions;
  if (code != SL_PAUSED && code != SL_STOPPED)
    sl_sampled_settle(device);
  if (device->failed_line && device->result.status == 0)
    device->result.status = 1;
  return code == SL_OK ? sl_forward_ended(device, err) : code;
}

enum sl_status sl_device_run(struct sl_device *device, struct sl_error *err)
{
  return sl_device_run_for(device, UINT64_MAX, err);
}
