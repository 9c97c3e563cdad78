#include "observe/trace/trace_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/thread_pool.h"

enum {
  BUFFER = 1 << 18,                /* a quarter of a usual second-level cache */
  NEXT_LAUNCH = SL_RECORD_LIFE + 1 /* a record without an event: the launch of those behind it is `more` */
};

/* Kinds with pointers into the machine, which the thread may not read later. */
enum { AT_ONCE = SL_PROBE_LAUNCHED | SL_PROBE_ALLOCATED | SL_PROBE_FREED | SL_PROBE_WRITTEN };

struct sl_relay {
  struct sl_probe_records records; /* in the buffer that the run fills; the first member */
  uint8_t *filling, *heard;        /* buffers of the run and of the thread */
  size_t hearing;                  /* bytes in the latter */
  struct sl_relay_hearer hearer;
  uint64_t base; /* of the module's pcs, for all records of both buffers */
  bool going;    /* known to the run; false: hear has returned false */
  /* Of the thread, or of the run while it waits. */
  struct sl_probe probe; /* the event being heard; each has the launch before it */
  bool stopped;
  struct sl_background *thread;
};

/* ---- of the run -------------------------------------------------------------------------------------------------- */

static void fill(struct sl_relay *relay, uint8_t *buffer)
{
  relay->filling = relay->records.at = buffer;
  relay->records.wait = NULL;
  relay->records.full = buffer + BUFFER - 2 * SL_RECORD_BYTES;
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
  if (records->launch != launch) {
    *(struct sl_probe_record *)(void *)records->at = (struct sl_probe_record){.kind = NEXT_LAUNCH, .more = launch};
    records->at += sizeof(struct sl_probe_record);
  }
  records->launch = launch;
  return relay->going;
}

bool sl_relay_tell(void *context, const struct sl_probe *p)
{
  struct sl_relay *relay = context;
  if ((p->kind & AT_ONCE) != 0) {
    struct sl_probe own = *p;
    own.pc += relay->base;
    sl_relay_drain(relay);
    relay->stopped = !relay->hearer.hear(relay->hearer.context, &own) || relay->stopped;
    relay->going = !relay->stopped;
    return relay->going;
  }
  sl_record_event(&relay->records, p);
  return relay->going;
}

struct sl_probe_records *sl_relay_records(struct sl_relay *relay)
{
  return &relay->records;
}

void sl_relay_rebase(struct sl_relay *relay, uint64_t base)
{
  sl_relay_drain(relay);
  relay->base = base;
  memset(relay->records.told, 0, sizeof relay->records.told);
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
  const struct sl_record_data *a = (const void *)at;
  const unsigned parts = a->parts;
  p->lanes = a->lanes;
  p->access = (enum sl_probe_access)a->access;
  p->line = (uint32_t)a->other;
  p->holder = a->other;
  p->least = (int64_t)a->other;
  p->count = a->count;
  p->width = (unsigned)a->count;
  at += sizeof *a;
  p->insn = next_part(&at, parts & SL_RECORD_CODE, sizeof *p->insn);
  p->wide_values = next_part(&at, parts & SL_RECORD_WIDE_VALUES, a->lanes * sizeof *p->wide_values);
  p->wide_address = next_part(&at, parts & SL_RECORD_WIDE_ADDRESSES, a->lanes * sizeof *p->wide_address);
  p->values = next_part(&at, parts & SL_RECORD_VALUES, a->lanes * sizeof *p->values);
  p->address = next_part(&at, parts & SL_RECORD_ADDRESSES, a->lanes * sizeof *p->address);
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
    sl_record_read_wait(r, p);
  }
  return (p->kind & (SL_RECORDS_OF_LANES | SL_RECORDS_OF_COUNTS)) == 0 ? read_addition(at, p) : at;
}

/* Hears the life of an instruction. Returns what is behind it. */
static const uint8_t *hear_life(struct sl_relay *relay, const uint8_t *at)
{
  enum { RARE = SL_RECORD_CODE | SL_RECORD_WIDE_VALUES | SL_RECORD_WIDE_ADDRESSES };
  const struct sl_probe_record *r = (const void *)at;
  struct sl_relay_life life = {.life = (const void *)(at + sizeof *r)};
  const unsigned parts = life.life->parts, lanes = life.life->lanes;
  at += sizeof *r + sizeof *life.life;
  if ((parts & RARE) != 0) {
    life.insn = next_part(&at, parts & SL_RECORD_CODE, sizeof *life.insn);
    life.data.results.wide = next_part(&at, parts & SL_RECORD_WIDE_VALUES, lanes * sizeof(uint64_t));
    life.data.addresses.wide = next_part(&at, parts & SL_RECORD_WIDE_ADDRESSES, lanes * sizeof(uint64_t));
  }
  life.data.results.narrow = next_part(&at, parts & SL_RECORD_VALUES, lanes * sizeof(uint32_t));
  life.data.addresses.narrow = next_part(&at, parts & SL_RECORD_ADDRESSES, lanes * sizeof(uint32_t));
  relay->stopped = !relay->hearer.hear_life(relay->hearer.context, r, &life, relay->probe.launch);
  return at + (-(uintptr_t)at & 7);
}

/* Hears the event of a record. Returns what is behind it. */
static const uint8_t *hear_next(struct sl_relay *relay, uint8_t *at)
{
  struct sl_probe_record *r = (void *)at;
  if (r->kind == NEXT_LAUNCH) {
    relay->probe.launch = (unsigned)r->more;
    return at + sizeof *r;
  }
  r->pc += relay->base;
  if (r->kind == SL_RECORD_LIFE)
    return hear_life(relay, at);
  const bool is_alone = ((SL_RECORDS_OF_LANES | SL_RECORDS_OF_COUNTS) >> r->kind & 1) != 0;
  if (is_alone && relay->hearer.hear_record(relay->hearer.context, r, relay->probe.launch))
    return at + sizeof *r;
  const uint8_t *const next = read_record(at, &relay->probe);
  relay->stopped = !relay->hearer.hear(relay->hearer.context, &relay->probe);
  return next;
}

static void hear_all(void *context)
{
  struct sl_relay *relay = context;
  uint8_t *at = relay->heard;
  const uint8_t *const end = relay->heard + relay->hearing;
  while (at < end && !relay->stopped)
    at += hear_next(relay, at) - at;
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
  relay->records.arrays = hearer.arrays;
  relay->records.lives = hearer.hear_life != NULL;
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
