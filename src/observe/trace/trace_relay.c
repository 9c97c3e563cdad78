#include "observe/trace/trace_relay.h"

#include <stdlib.h>
#include <string.h>

#include "base/background.h"

enum {
  BUFFER = 1 << 18, /* a quarter of a usual second-level cache */
  CODE = 1,         /* parts of a record, in their order */
  VALUES = 2,
  ADDRESSES = 4,
  WIDE_VALUES = 8,
  WIDE_ADDRESSES = 16
};

/* Kinds with pointers into the machine, which the thread may not read later. */
enum { AT_ONCE = SL_PROBE_LAUNCHED | SL_PROBE_ALLOCATED | SL_PROBE_FREED | SL_PROBE_WRITTEN };

/* Behind a record of a kind that is in neither set of probe_records.h. */
struct addition {
  int64_t count;  /* ACCESSED: the width */
  uint64_t other; /* BANKED: the least; EXECUTED: the line; else the holder */
  uint8_t lanes, parts, access;
};

/* A record without an event: the launch of those behind it is `more`. */
enum { NEXT_LAUNCH = SL_PROBE_KINDS };

enum {
  LARGEST =
      sizeof(struct sl_probe_record) + sizeof(struct addition) + sizeof(struct sl_insn) + 2 * SL_MAX_LANES * (4 + 8)
};

struct sl_relay {
  struct sl_probe_records records; /* in the buffer that the run fills; the first member */
  uint8_t *filling, *heard;        /* buffers of the run and of the thread */
  size_t hearing;                  /* bytes in the latter */
  struct sl_relay_hearer hearer;
  bool going;                    /* known to the run; false: hear has returned false */
  uint64_t told[SL_RELAY_CODES]; /* pc + 1 of instructions that the thread knows; 0: none */
  /* Of the thread, or of the run while it waits. */
  struct sl_probe probe; /* the event being heard; each has the launch before it */
  bool stopped;
  struct sl_background *thread;
};

/* ---- of the run -------------------------------------------------------------------------------------------------- */

static void append(struct sl_relay *relay, const void *bytes, size_t size)
{
  memcpy(relay->records.at, bytes, size);
  relay->records.at += size;
}

static void fill(struct sl_relay *relay, uint8_t *buffer)
{
  relay->filling = relay->records.at = buffer;
  relay->records.full = buffer + BUFFER - 2 * LARGEST;
}

/* Gives the buffer to the thread, and takes the other one. */
static void hand_over(struct sl_relay *relay)
{
  sl_background_wait(relay->thread);
  uint8_t *const emptied = relay->heard;
  relay->going = !relay->stopped;
  relay->heard = relay->filling;
  relay->hearing = (size_t)(relay->records.at - relay->filling);
  fill(relay, emptied);
  sl_background_start(relay->thread);
}

static bool turn(struct sl_probe_records *records, unsigned launch)
{
  struct sl_relay *relay = (void *)records;
  if (records->at >= records->full)
    hand_over(relay);
  if (records->launch != launch)
    append(relay, &(struct sl_probe_record){.kind = NEXT_LAUNCH, .more = launch}, sizeof(struct sl_probe_record));
  records->launch = launch;
  return relay->going;
}

/* The thread needs the instruction at a pc once. */
static bool is_new(struct sl_relay *relay, const struct sl_probe *p)
{
  uint64_t *told = &relay->told[sl_relay_code(p->pc)];
  const bool is = p->kind == SL_PROBE_EXECUTED && p->insn != NULL && *told != p->pc + 1;
  if (is)
    *told = p->pc + 1;
  return is;
}

static unsigned parts_of(struct sl_relay *relay, const struct sl_probe *p)
{
  const unsigned code = is_new(relay, p) ? CODE : 0;
  if ((p->kind & relay->hearer.arrays) == 0)
    return code;
  return code | (p->values != NULL ? VALUES : 0) | (p->address != NULL ? ADDRESSES : 0) |
         (p->wide_values != NULL ? WIDE_VALUES : 0) | (p->wide_address != NULL ? WIDE_ADDRESSES : 0);
}

static void append_parts(struct sl_relay *relay, const struct sl_probe *p, unsigned parts)
{
  if (parts & CODE)
    append(relay, p->insn, sizeof *p->insn);
  if (parts & WIDE_VALUES)
    append(relay, p->wide_values, p->lanes * sizeof *p->wide_values);
  if (parts & WIDE_ADDRESSES)
    append(relay, p->wide_address, p->lanes * sizeof *p->wide_address);
  if (parts & VALUES)
    append(relay, p->values, p->lanes * sizeof *p->values);
  if (parts & ADDRESSES)
    append(relay, p->address, p->lanes * sizeof *p->address);
  relay->records.at += -(uintptr_t)relay->records.at & 7; /* records are aligned */
}

/* What a record has besides the event's place. */
static uint64_t more_of(const struct sl_probe *p)
{
  return (p->kind & SL_RECORDS_OF_COUNTS) != 0 ? (uint64_t)p->count : p->active;
}

static void add(struct sl_relay *relay, const struct sl_probe *p)
{
  const unsigned parts = parts_of(relay, p);
  const struct addition addition = {
      .count = p->kind == SL_PROBE_ACCESSED ? (int64_t)p->width : p->count,
      .other = p->kind == SL_PROBE_BANKED     ? (uint64_t)p->least
               : p->kind == SL_PROBE_EXECUTED ? p->line
                                              : p->holder,
      .lanes = (uint8_t)p->lanes,
      .parts = (uint8_t)parts,
      .access = (uint8_t)p->access,
  };
  append(relay, &addition, sizeof addition);
  if (parts != 0)
    append_parts(relay, p, parts);
}

bool sl_relay_tell(void *context, const struct sl_probe *p)
{
  struct sl_relay *relay = context;
  if ((p->kind & AT_ONCE) != 0) {
    sl_relay_drain(relay);
    relay->stopped = !relay->hearer.hear(relay->hearer.context, p) || relay->stopped;
    relay->going = !relay->stopped;
    return relay->going;
  }
  struct sl_probes probes = {.records = &relay->records};
  struct sl_probe_record *record = sl_record_add(&probes, p->launch);
  *record = (struct sl_probe_record){
      .cycle = p->cycle,
      .id = p->id,
      .pc = p->pc,
      .more = more_of(p),
      .warp = p->warp,
      .core = (uint16_t)p->core,
      .kind = (uint8_t)__builtin_ctz(p->kind),
      .stage = p->kind == SL_PROBE_WAITED ? sl_record_wait(p->cause, p->idle, p->any_warp) : (uint8_t)p->stage,
  };
  if ((p->kind & (SL_RECORDS_OF_LANES | SL_RECORDS_OF_COUNTS)) == 0)
    add(relay, p);
  return relay->going;
}

struct sl_probe_records *sl_relay_records(struct sl_relay *relay)
{
  return &relay->records;
}

void sl_relay_drain(struct sl_relay *relay)
{
  if (relay->records.at > relay->filling)
    hand_over(relay);
  sl_background_wait(relay->thread);
}

/* ---- of the thread ----------------------------------------------------------------------------------------------- */

/* Points to an array behind a record, if it is there, and goes beyond it. */
static const void *next_part(const uint8_t **at, bool there, size_t size)
{
  const void *const part = there ? *at : NULL;
  *at += there ? size : 0;
  return part;
}

/* Reads what is behind a record. Returns what is behind that. */
static const uint8_t *read_addition(const uint8_t *at, struct sl_probe *p)
{
  const struct addition *a = (const void *)at;
  const unsigned parts = a->parts;
  p->lanes = a->lanes;
  p->access = (enum sl_probe_access)a->access;
  p->line = (uint32_t)a->other;
  p->holder = a->other;
  p->least = (int64_t)a->other;
  p->count = a->count;
  p->width = (unsigned)a->count;
  at += sizeof *a;
  p->insn = next_part(&at, parts & CODE, sizeof *p->insn);
  p->wide_values = next_part(&at, parts & WIDE_VALUES, a->lanes * sizeof *p->wide_values);
  p->wide_address = next_part(&at, parts & WIDE_ADDRESSES, a->lanes * sizeof *p->wide_address);
  p->values = next_part(&at, parts & VALUES, a->lanes * sizeof *p->values);
  p->address = next_part(&at, parts & ADDRESSES, a->lanes * sizeof *p->address);
  return at + (-(uintptr_t)at & 7);
}

/* Turns a record into an event again. The event keeps what records of its kind do not have: nobody reads that. Returns
 * what is behind the record. */
static const uint8_t *read_record(const uint8_t *at, struct sl_probe *p)
{
  const struct sl_probe_record *r = (const void *)at;
  p->kind = (enum sl_probe_kind)(1u << r->kind);
  p->stage = r->stage;
  p->id = r->id;
  p->cycle = r->cycle;
  p->core = r->core;
  p->pc = r->pc;
  p->warp = r->warp;
  p->active = r->more;
  p->count = (int64_t)r->more;
  at += sizeof *r;
  if (p->kind == SL_PROBE_WAITED) {
    p->stage = 0;
    p->cause = r->stage & 31;
    p->idle = (enum sl_probe_idle)(r->stage >> 5 & 3);
    p->any_warp = r->stage >> 7;
  }
  return (p->kind & (SL_RECORDS_OF_LANES | SL_RECORDS_OF_COUNTS)) == 0 ? read_addition(at, p) : at;
}

/* Hears the event of a record. Returns what is behind it. */
static const uint8_t *hear_next(struct sl_relay *relay, const uint8_t *at)
{
  const struct sl_probe_record *r = (const void *)at;
  if (r->kind == NEXT_LAUNCH) {
    relay->probe.launch = (unsigned)r->more;
    return at + sizeof *r;
  }
  const bool is_alone = ((SL_RECORDS_OF_LANES | SL_RECORDS_OF_COUNTS) >> r->kind & 1) != 0;
  if (is_alone && relay->hearer.hear_record(relay->hearer.context, r))
    return at + sizeof *r;
  at = read_record(at, &relay->probe);
  relay->stopped = !relay->hearer.hear(relay->hearer.context, &relay->probe);
  return at;
}

static void hear_all(void *context)
{
  struct sl_relay *relay = context;
  const uint8_t *at = relay->heard, *const end = relay->heard + relay->hearing;
  while (at < end && !relay->stopped)
    at = hear_next(relay, at);
}

struct sl_relay *sl_relay_create(struct sl_relay_hearer hearer)
{
  struct sl_relay *relay = calloc(1, sizeof *relay);
  if (relay == NULL)
    return NULL;
  fill(relay, malloc(BUFFER));
  relay->heard = malloc(BUFFER);
  relay->records.turn = turn;
  relay->going = true;
  relay->hearer = hearer;
  relay->thread = relay->filling != NULL && relay->heard != NULL ? sl_background_create(hear_all, relay) : NULL;
  if (relay->thread != NULL)
    return relay;
  sl_relay_free(relay);
  return NULL;
}

void sl_relay_free(struct sl_relay *relay)
{
  if (relay == NULL)
    return;
  sl_background_free(relay->thread);
  free(relay->filling);
  free(relay->heard);
  free(relay);
}
