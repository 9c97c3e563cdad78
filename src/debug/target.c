#include "debug/debug.h"

#include <inttypes.h>
#include <string.h>

struct sl_target sl_target_of(struct sl_replay *replay, const struct sl_program *program)
{
  return (struct sl_target){.replay = replay,
                            .program = program,
                            .lanes = replay->soc->lanes,
                            .warps = replay->warps,
                            .has_host = !replay->soc->no_host};
}

static const struct sl_sm *sm_of(const struct sl_target *t)
{
  return sl_device_sm(t->replay->device);
}

bool sl_is_lane(const struct sl_target *t, uint64_t thread)
{
  return thread >= SL_THREAD_LANES && (thread - SL_THREAD_LANES) / t->lanes < t->warps;
}

unsigned sl_warp_of(const struct sl_target *t, unsigned thread)
{
  return (thread - SL_THREAD_LANES) / t->lanes;
}

unsigned sl_lane_of(const struct sl_target *t, unsigned thread)
{
  return (thread - SL_THREAD_LANES) % t->lanes;
}

unsigned sl_thread_of(const struct sl_target *t, unsigned warp, unsigned lane)
{
  return SL_THREAD_LANES + warp * t->lanes + lane;
}

struct sl_warp_status sl_target_warp(const struct sl_target *t, unsigned warp)
{
  return t->replay->machine->view.warp_status(sm_of(t), warp);
}

bool sl_warp_lives(const struct sl_target *t, unsigned warp)
{
  if (warp >= t->warps || !sl_replay_kernel_runs(t->replay))
    return false;
  const enum sl_warp_wait wait = sl_target_warp(t, warp).wait;
  return wait != SL_WARP_OFF && wait != SL_WARP_ENDED;
}

bool sl_thread_lives(const struct sl_target *t, uint64_t thread)
{
  if (thread == SL_THREAD_HOST)
    return t->has_host;
  if (!sl_is_lane(t, thread))
    return false;
  return sl_warp_lives(t, sl_warp_of(t, (unsigned)thread)) || (thread == SL_THREAD_LANES && !t->has_host);
}

unsigned sl_thread_default(const struct sl_target *t)
{
  for (unsigned w = 0; w < t->warps && sl_replay_kernel_runs(t->replay); w++)
    if (sl_warp_lives(t, w)) {
      const sl_lanes active = sl_target_warp(t, w).active;
      return sl_thread_of(t, w, active != 0 ? sl_lowest(active) : 0);
    }
  return t->has_host ? SL_THREAD_HOST : SL_THREAD_LANES;
}

uint32_t sl_target_pc(const struct sl_target *t, unsigned thread)
{
  if (thread == SL_THREAD_HOST)
    return sl_device_host_pc(t->replay->device);
  if (!sl_warp_lives(t, sl_warp_of(t, thread)))
    return t->has_host ? 0 : t->replay->soc->start != 0 ? t->replay->soc->start : sl_program_entry(t->program);
  if (sl_replay_fetches_ahead(t->replay)) {
    const uint32_t next = sl_replay_next_pc(t->replay, sl_warp_of(t, thread));
    if (next != 0)
      return next;
  }
  const struct sl_warp_status status = sl_target_warp(t, sl_warp_of(t, thread));
  if (status.active >> sl_lane_of(t, thread) & 1)
    return status.pc;
  return t->replay->machine->view.read_pc(sm_of(t), sl_warp_of(t, thread), sl_lane_of(t, thread));
}

static unsigned warps_per_block(const struct sl_target *t)
{
  const struct sl_result *result = sl_device_result(t->replay->device);
  return result->launch_count > 0 ? result->launches[result->launch_count - 1].warps_per_block : 0;
}

/* The bits of the register `state`. */
enum { STATE_ACTIVE = 1, STATE_BARRIER = 2, STATE_MEMORY = 4, STATE_UNIT = 8, STATE_ENDED = 16 };

static uint64_t state_bits(const struct sl_warp_status *status, unsigned lane)
{
  static const uint8_t of[] = {
      [SL_WARP_RUNS] = 0,           [SL_WARP_WAITS_FOR_UNIT] = STATE_UNIT, [SL_WARP_WAITS_FOR_MEMORY] = STATE_MEMORY,
      [SL_WARP_OFF] = STATE_ENDED,  [SL_WARP_AT_BARRIER] = STATE_BARRIER,  [SL_WARP_WAITS_FOR_WARPS] = STATE_BARRIER,
      [SL_WARP_ENDED] = STATE_ENDED};
  return of[status->wait] | (status->active >> lane & 1 ? STATE_ACTIVE : 0u);
}

static unsigned own_register(const struct sl_target *t, unsigned thread, unsigned number, uint64_t *value)
{
  const bool host = thread == SL_THREAD_HOST;
  const unsigned warp = host ? 0 : sl_warp_of(t, thread), lane = host ? 0 : sl_lane_of(t, thread);
  const bool lives = !host && sl_warp_lives(t, warp);
  const struct sl_warp_status status = lives ? sl_target_warp(t, warp) : (struct sl_warp_status){.wait = SL_WARP_OFF};
  struct sl_warp_path path[SL_MAX_LANES];
  *value = 0;
  switch (number) {
  case SL_REG_WARP: *value = host ? UINT32_MAX : warp; return 4;
  case SL_REG_LANE: *value = host ? UINT32_MAX : lane; return 4;
  case SL_REG_BLOCK: *value = host || warps_per_block(t) == 0 ? 0 : warp / warps_per_block(t); return 4;
  case SL_REG_MASK: *value = status.active; return 8;
  case SL_REG_PATHS:
    if (lives && t->replay->machine->view.warp_paths != NULL)
      *value = t->replay->machine->view.warp_paths(sm_of(t), warp, path);
    return 4;
  case SL_REG_STATE: *value = host ? STATE_ACTIVE : state_bits(&status, lane); return 4;
  case SL_REG_CYCLE: *value = sl_replay_now(t->replay); return 8;
  default: return 0;
  }
}

static unsigned registers_of(const struct sl_target *t)
{
  return t->replay->soc->isa == SL_ISA_RV32 ? 32 : t->replay->soc->registers;
}

/* Whether floating point has registers of its own, 32 to 63 of the machine. gdb's numbers follow the pc's. */
static bool has_floats(const struct sl_target *t)
{
  return sl_program_has_float_registers(t->program) && t->replay->soc->isa == SL_ISA_RV32;
}

/* The register of the machine behind a number; 0 bytes: none. */
static unsigned machine_register(const struct sl_target *t, uint64_t number, unsigned *reg)
{
  const unsigned count = registers_of(t);
  if (number < 32 || (has_floats(t) && number > SL_REG_PC && number <= SL_REG_PC + 32))
    *reg = (unsigned)number - (number > SL_REG_PC);
  else if (number >= SL_REG_MORE && number < SL_REG_MORE + (count > 32 ? count - 32 : 0))
    *reg = (unsigned)number - SL_REG_MORE + 32;
  else
    return 0;
  return 4;
}

unsigned sl_target_register(const struct sl_target *t, unsigned thread, uint64_t number, uint64_t *value)
{
  unsigned reg;
  *value = 0;
  if (number == SL_REG_PC) {
    *value = sl_target_pc(t, thread);
    return 4;
  }
  if (number >= SL_REG_OWN && number < SL_REG_OWN_END)
    return own_register(t, thread, (unsigned)number, value);
  const unsigned bytes = machine_register(t, number, &reg);
  if (bytes == 0)
    return 0;
  if (thread == SL_THREAD_HOST)
    *value = sl_device_host_register(t->replay->device, reg);
  else if (reg != 0 && sl_warp_lives(t, sl_warp_of(t, thread)))
    *value = t->replay->machine->view.read_register(sm_of(t), sl_warp_of(t, thread), sl_lane_of(t, thread), reg);
  return bytes;
}

/* Writes a lane's register, or its pc. A timed machine refuses while an instruction of the warp is in flight; the run
 * then moves on, as long as the warp executes no other one. */
static bool set_lane(struct sl_target *t, unsigned thread, bool is_pc, unsigned reg, uint32_t value)
{
  enum { MOST_TICKS = 256 };
  struct sl_replay *r = t->replay;
  const unsigned warp = sl_warp_of(t, thread), lane = sl_lane_of(t, thread);
  const uint64_t before = sl_replay_now(r);
  for (unsigned n = 0; n < MOST_TICKS; n++) {
    if (is_pc ? sl_device_set_pc(r->device, warp, lane, value)
              : sl_device_set_register(r->device, warp, lane, reg, value))
      return true;
    if (sl_replay_tick(r) != SL_PAUSED)
      break;
    for (unsigned i = 0; i < r->executed; i++)
      if (r->event[i].warp == warp)
        n = MOST_TICKS;
  }
  sl_replay_go(r, before);
  return false;
}

bool sl_target_set_register(struct sl_target *t, unsigned thread, uint64_t number, uint64_t value)
{
  struct sl_device *device = t->replay->device;
  unsigned reg = 0;
  const bool is_pc = number == SL_REG_PC;
  bool done = true;
  if (!is_pc && machine_register(t, number, &reg) == 0)
    return false;
  if (thread == SL_THREAD_HOST && is_pc)
    sl_device_set_host_pc(device, (uint32_t)value);
  else if (thread == SL_THREAD_HOST)
    sl_device_set_host_register(device, reg, (uint32_t)value);
  else
    done = sl_warp_lives(t, sl_warp_of(t, thread)) && set_lane(t, thread, is_pc, reg, (uint32_t)value);
  if (done)
    sl_replay_written(t->replay);
  return done;
}

/* Code that is not in data memory, where the machine separates them. */
static bool code_byte(const struct sl_target *t, uint32_t address, uint8_t *byte)
{
  const struct sl_soc *soc = t->replay->soc;
  if (soc->no_host || address - soc->code_base >= soc->code_words * 4)
    return false;
  *byte = (uint8_t)(sl_program_word(t->program, address & ~3u) >> (address & 3) * 8);
  return true;
}

void sl_target_load(const struct sl_target *t, unsigned thread, uint32_t address, uint8_t *bytes, size_t size)
{
  struct sl_device *device = t->replay->device;
  sl_device_read(device, address, bytes, size);
  for (size_t i = 0; i < size; i++) {
    const uint32_t at = (uint32_t)(address + i);
    const uint8_t *own = thread != SL_THREAD_HOST && sl_is_lane(t, thread)
                             ? sl_device_lane_byte(device, sl_warp_of(t, thread), sl_lane_of(t, thread), at)
                             : NULL;
    if (own != NULL)
      bytes[i] = *own;
    else
      code_byte(t, at, &bytes[i]);
  }
}

bool sl_target_store(struct sl_target *t, unsigned thread, uint32_t address, const uint8_t *bytes, size_t size)
{
  struct sl_device *device = t->replay->device;
  uint8_t code;
  for (size_t i = 0; i < size; i++)
    if (code_byte(t, (uint32_t)(address + i), &code))
      return false;
  for (size_t i = 0; i < size; i++) {
    const uint32_t at = (uint32_t)(address + i);
    uint8_t *own = thread != SL_THREAD_HOST && sl_is_lane(t, thread)
                       ? sl_device_lane_byte(device, sl_warp_of(t, thread), sl_lane_of(t, thread), at)
                       : NULL;
    if (own != NULL)
      *own = bytes[i];
    else
      sl_device_write(device, at, &bytes[i], 1);
  }
  if (size > 0)
    sl_replay_written(t->replay);
  return true;
}

void sl_target_description(const struct sl_target *t, struct sl_reply *xml)
{
  static const char *const name[] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "fp", "s1", "a0",
                                     "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                     "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  sl_reply_print(xml, "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
                      "<architecture>riscv:rv32</architecture><osabi>none</osabi>"
                      "<feature name=\"org.gnu.gdb.riscv.cpu\">");
  for (unsigned i = 0; i < 32; i++)
    sl_reply_print(xml, "<reg name=\"%s\" bitsize=\"32\" type=\"%s\" regnum=\"%u\"/>", name[i],
                   i == 1                       ? "code_ptr"
                   : i == 2 || i == 3 || i == 8 ? "data_ptr"
                                                : "int",
                   i);
  sl_reply_print(xml, "<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\" regnum=\"%d\"/></feature>", SL_REG_PC);
  if (has_floats(t)) {
    sl_reply_print(xml, "<feature name=\"org.gnu.gdb.riscv.fpu\">");
    for (unsigned i = 0; i < 32; i++)
      sl_reply_print(xml, "<reg name=\"f%u\" bitsize=\"32\" type=\"ieee_single\" regnum=\"%u\"/>", i,
                     SL_REG_PC + 1 + i);
    sl_reply_print(xml, "</feature>");
  }
  sl_reply_print(xml, "<feature name=\"simtlab\"><flags id=\"lane_state\" size=\"4\">"
                      "<field name=\"active\" start=\"0\" end=\"0\"/><field name=\"barrier\" start=\"1\" end=\"1\"/>"
                      "<field name=\"memory\" start=\"2\" end=\"2\"/><field name=\"unit\" start=\"3\" end=\"3\"/>"
                      "<field name=\"ended\" start=\"4\" end=\"4\"/></flags>");
  static const struct {
    const char *name, *type;
    unsigned bits;
  } own[] = {{"warp", "int32", 32},   {"lane", "int32", 32},       {"block", "uint32", 32}, {"mask", "uint64", 64},
             {"paths", "uint32", 32}, {"state", "lane_state", 32}, {"cycle", "uint64", 64}};
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
    sl_reply_print(xml,
                   "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\" regnum=\"%u\" group=\"simt\" save-restore=\"no\"/>",
                   own[i].name, own[i].bits, own[i].type, SL_REG_OWN + i);
  for (unsigned i = 32; i < registers_of(t); i++)
    sl_reply_print(xml, "<reg name=\"x%u\" bitsize=\"32\" type=\"int\" regnum=\"%u\" group=\"general\"/>", i,
                   SL_REG_MORE + i - 32);
  sl_reply_print(xml, "</feature></target>");
}

static void print_lane(const struct sl_target *t, unsigned warp, unsigned lane, bool active, struct sl_reply *xml)
{
  const unsigned per_block = warps_per_block(t);
  sl_reply_print(xml, "<thread id=\"%x\" name=\"w%ul%u\">", sl_thread_of(t, warp, lane), warp, lane);
  if (per_block != 0 && per_block < t->warps)
    sl_reply_print(xml, "block %u ", warp / per_block);
  sl_reply_print(xml, "%s</thread>", active ? "active" : "masked");
}

void sl_target_threads(const struct sl_target *t, unsigned focus, struct sl_reply *xml)
{
  const bool all =
      t->shown == SL_THREADS_ALL || (t->shown == SL_THREADS_AUTO && t->warps * t->lanes <= SL_THREADS_LISTED);
  unsigned listed = 0;
  sl_reply_print(xml, "<threads>");
  if (t->has_host)
    sl_reply_print(xml, "<thread id=\"%x\" name=\"host\">host CPU</thread>", SL_THREAD_HOST);
  for (unsigned w = 0; w < t->warps && sl_replay_kernel_runs(t->replay); w++) {
    if (!sl_warp_lives(t, w))
      continue;
    const sl_lanes active = sl_target_warp(t, w).active;
    const unsigned lowest = active != 0 ? sl_lowest(active) : 0;
    for (unsigned lane = 0; lane < t->lanes; lane++) {
      const bool on = active >> lane & 1;
      if (!(all || w == focus || lane == lowest || (t->shown == SL_THREADS_ACTIVE && on)))
        continue;
      print_lane(t, w, lane, on, xml);
      listed++;
    }
  }
  if (!t->has_host && listed == 0)
    print_lane(t, 0, 0, true, xml);
  sl_reply_print(xml, "</threads>");
}
