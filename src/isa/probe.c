#include "isa/probe.h"

#include <string.h>

void sl_tell(struct sl_probes *probes, const struct sl_probe *probe)
{
  if (sl_probes_want(probes, probe->kind) && !probes->tell(probes->context, probe))
    probes->stopped = true;
}

/* Copies words of the active lanes to 64 bits. */
static const uint64_t *widen(const uint32_t *words, sl_lanes lanes, uint64_t wide[SL_MAX_LANES])
{
  if (words == NULL)
    return NULL;
  for (sl_lanes rest = lanes; rest; rest &= rest - 1)
    wide[sl_lowest(rest)] = words[sl_lowest(rest)];
  return wide;
}

static void tell_parts(struct sl_probes *probes, struct sl_probe *event)
{
  const bool fence = event->insn->kind == SL_KIND_FENCE;
  event->kind = SL_PROBE_EXECUTED;
  if (probes->only == 0 || (probes->only >> event->insn->kind & 1) != 0)
    sl_tell(probes, event);
  event->kind = SL_PROBE_ACCESSED;
  if (event->address != NULL)
    sl_tell(probes, event);
  event->kind = SL_PROBE_FENCED;
  if (fence)
    sl_tell(probes, event);
}

void sl_tell_execution(struct sl_probes *probes, const struct sl_probe *probe)
{
  uint64_t values[SL_MAX_LANES], address[SL_MAX_LANES];
  if (!sl_probes_want_execution(probes, probe->insn))
    return;
  struct sl_probe event = *probe;
  if (event.insn->rd == 0)
    event.values = NULL;
  if (event.insn->width == 0)
    event.address = NULL;
  if (event.insn->kind != SL_KIND_STORE)
    event.stored = NULL;
  event.access = event.insn->kind == SL_KIND_LOAD    ? SL_PROBE_LOAD
                 : event.insn->kind == SL_KIND_STORE ? SL_PROBE_STORE
                                                     : SL_PROBE_ATOMIC;
  event.width = event.insn->width;
  if (probes->payloads & SL_PAYLOAD_RESULTS)
    event.wide_values = widen(event.values, event.active, values);
  if (probes->payloads & SL_PAYLOAD_ADDRESSES)
    event.wide_address = widen(event.address, event.active, address);
  tell_parts(probes, &event);
}

uint64_t sl_probes_reporting(const struct sl_probes *probes)
{
  enum { ACCESSES = SL_PROBE_ACCESSED, FENCES = SL_PROBE_FENCED };
  uint64_t kinds = sl_probes_want(probes, SL_PROBE_EXECUTED) ? probes->only : 0;
  if (sl_probes_want(probes, ACCESSES))
    kinds |= UINT64_C(1) << SL_KIND_AMO | UINT64_C(1) << SL_KIND_LRSC;
  return kinds | (sl_probes_want(probes, FENCES) ? UINT64_C(1) << SL_KIND_FENCE : 0);
}

static void append(struct sl_probe_records *records, const void *bytes, size_t size)
{
  memcpy(records->at, bytes, size);
  records->at += size;
}

static void align(struct sl_probe_records *records)
{
  records->at += -(uintptr_t)records->at & 7;
}

static unsigned parts_of(struct sl_probe_records *records, const struct sl_probe *p)
{
  const unsigned code = p->kind == SL_PROBE_EXECUTED && p->insn != NULL ? sl_record_code_part(records, p->pc) : 0;
  if ((p->kind & records->arrays) == 0)
    return code;
  return code | (p->values != NULL ? SL_RECORD_VALUES : 0) | (p->address != NULL ? SL_RECORD_ADDRESSES : 0) |
         (p->wide_values != NULL ? SL_RECORD_WIDE_VALUES : 0) |
         (p->wide_address != NULL ? SL_RECORD_WIDE_ADDRESSES : 0);
}

static void append_parts(struct sl_probe_records *records, const struct sl_probe *p, unsigned parts)
{
  if (parts & SL_RECORD_CODE)
    append(records, p->insn, sizeof *p->insn);
  if (parts & SL_RECORD_WIDE_VALUES)
    append(records, p->wide_values, p->lanes * sizeof *p->wide_values);
  if (parts & SL_RECORD_WIDE_ADDRESSES)
    append(records, p->wide_address, p->lanes * sizeof *p->wide_address);
  if (parts & SL_RECORD_VALUES)
    append(records, p->values, p->lanes * sizeof *p->values);
  if (parts & SL_RECORD_ADDRESSES)
    append(records, p->address, p->lanes * sizeof *p->address);
  align(records);
}

static void append_data(struct sl_probe_records *records, const struct sl_probe *p)
{
  const unsigned parts = parts_of(records, p);
  const struct sl_record_data data = {
      .count = p->kind == SL_PROBE_ACCESSED ? (int64_t)p->width : p->count,
      .other = p->kind == SL_PROBE_BANKED     ? (uint64_t)p->least
               : p->kind == SL_PROBE_EXECUTED ? p->line
                                              : p->holder,
      .lanes = (uint8_t)p->lanes,
      .access = (uint8_t)p->access,
      .parts = (uint8_t)parts,
  };
  append(records, &data, sizeof data);
  append_parts(records, p, parts);
}

void sl_record_event(struct sl_probe_records *records, const struct sl_probe *p)
{
  struct sl_probes probes = {.records = records};
  *sl_record_add(&probes, p->launch) = (struct sl_probe_record){
      .cycle = p->cycle,
      .id = p->id,
      .pc = p->pc,
      .more = (p->kind & SL_RECORDS_OF_COUNTS) != 0 ? (uint64_t)p->count : p->active,
      .warp = p->warp,
      .core = (uint16_t)p->core,
      .kind = (uint8_t)__builtin_ctz(p->kind),
      .stage = p->kind == SL_PROBE_WAITED ? sl_record_wait(p->cause, p->idle, p->any_warp) : (uint8_t)p->stage,
  };
  if ((p->kind & (SL_RECORDS_OF_LANES | SL_RECORDS_OF_COUNTS)) == 0)
    append_data(records, p);
}

/* The parts of an execution of RISC-V. */
static inline unsigned parts_of_execution(struct sl_probe_records *records, uint64_t pc, const uint32_t *values,
                                          const uint32_t *address)
{
  const bool has_arrays = (records->arrays & SL_PROBE_EXECUTED) != 0;
  return sl_record_code_part(records, pc) | (has_arrays && values != NULL ? SL_RECORD_VALUES : 0) |
         (has_arrays && address != NULL ? SL_RECORD_ADDRESSES : 0);
}

static inline void append_execution(struct sl_probe_records *records, unsigned parts, const struct sl_insn *insn,
                                    unsigned lanes, const uint32_t *values, const uint32_t *address)
{
  if (parts & SL_RECORD_CODE)
    append(records, insn, sizeof *insn);
  if (parts & SL_RECORD_VALUES)
    append(records, values, lanes * sizeof *values);
  if (parts & SL_RECORD_ADDRESSES)
    append(records, address, lanes * sizeof *address);
  align(records);
}

void sl_record_execution(struct sl_probes *probes, unsigned launch, const struct sl_probe_record *record,
                         const struct sl_insn *insn, unsigned lanes, const uint32_t *values, const uint32_t *address)
{
  struct sl_probe_record *added = sl_record_add(probes, launch);
  struct sl_probe_records *records = probes->records;
  const unsigned parts = parts_of_execution(records, record->pc, values, address);
  const struct sl_record_data data = {.lanes = (uint8_t)lanes, .parts = (uint8_t)parts};
  *added = *record;
  added->kind = __builtin_ctz(SL_PROBE_EXECUTED);
  append(records, &data, sizeof data);
  append_execution(records, parts, insn, lanes, values, address);
}
