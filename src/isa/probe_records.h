/* Events as records in a buffer, for an observer that only copies them (struct sl_probes, `records`): a machine writes
 * the usual events without data in place instead of calling the observer for each.
 *
 * A record has the event's cycle, instruction and place, and one number more. Kinds with data have struct
 * sl_record_data behind it, and then the lanes' values and addresses, and a decoded instruction if no record before had
 * one of its pc. Machines that know nothing of records call the observer, which adds to the same buffer; so the events
 * stay in order. */
#ifndef SL_ISA_PROBE_RECORDS_H
#define SL_ISA_PROBE_RECORDS_H

#include <string.h>

#include "isa/probe.h"

/* Kinds whose record has the active lanes, and kinds whose record has the count. */
enum {
  SL_RECORDS_OF_LANES = SL_PROBE_FETCHED | SL_PROBE_ISSUED | SL_PROBE_STAGED | SL_PROBE_RETIRED | SL_PROBE_RETRIED |
                        SL_PROBE_FLUSHED | SL_PROBE_ABORTED | SL_PROBE_TRANSACTED | SL_PROBE_ARRIVED |
                        SL_PROBE_RELEASED,
  SL_RECORDS_OF_COUNTS = SL_PROBE_WAITED | SL_PROBE_DEQUEUED
};

struct sl_probe_record {
  uint64_t cycle, id, pc;
  uint64_t more; /* lanes or count */
  uint32_t warp;
  uint16_t core;
  uint8_t kind;  /* number of its bit */
  uint8_t stage; /* WAITED: sl_record_wait */
};

/* The stage of a wait's record. Stall reasons fit in 5 bits. */
static inline uint8_t sl_record_wait(unsigned cause, enum sl_probe_idle idle, bool any_warp)
{
  return (uint8_t)(cause | (unsigned)idle << 5 | (any_warp ? 1u : 0u) << 7);
}

static inline void sl_record_read_wait(const struct sl_probe_record *record, struct sl_probe *probe)
{
  probe->cause = record->stage & 31;
  probe->idle = (enum sl_probe_idle)(record->stage >> 5 & 3);
  probe->any_warp = record->stage >> 7;
}

/* Behind a record of a kind that is in neither of the sets above. */
struct sl_record_data {
  int64_t count;  /* ACCESSED: the width */
  uint64_t other; /* BANKED: the least; EXECUTED: the line; else the holder */
  uint8_t lanes, access;
  uint8_t parts; /* what is behind it, as enum sl_record_part */
};

/* Parts in this order; then bytes up to the next multiple of 8. */
enum sl_record_part {
  SL_RECORD_CODE = 1,
  SL_RECORD_WIDE_VALUES = 2,
  SL_RECORD_WIDE_ADDRESSES = 4,
  SL_RECORD_VALUES = 8,
  SL_RECORD_ADDRESSES = 16
};

/* A record of its own kind, SL_RECORD_LIFE: all that an instruction does, in place of one event each. A machine may
 * write it where the observer does not need these events in the order of their cycles (struct sl_probe_records,
 * `lives`). The record's cycle is that of FETCHED, `more` the active lanes or 0, and `stage` a set of enum
 * sl_record_life_flag. Behind it is struct sl_record_life, and then the parts of an execution. */
enum { SL_RECORD_LIFE = SL_PROBE_KINDS, SL_RECORD_STAGES = 4 };

enum sl_record_life_flag {
  SL_LIFE_EXECUTED = 1, /* `parts` are those of EXECUTED, `banked` cycles more than `least` those of BANKED */
  SL_LIFE_WAITED = 2,   /* the issue slot has spent a cycle on it: WAITED */
  SL_LIFE_FETCHED = 4,  /* FETCHED has a record before */
  SL_LIFE_GOES_ON = 8   /* it stays in its stage: RETIRED has a record later */
};

struct sl_record_life {
  uint32_t spent[SL_RECORD_STAGES]; /* cycles in each of the first stages */
  uint32_t executed;                /* cycles from FETCHED to EXECUTED, ISSUED and WAITED */
  uint32_t line;                    /* of EXECUTED */
  uint16_t banked;                  /* cycles */
  uint8_t end;                      /* unless it goes on: number of the bit of the kind that ends it */
  uint8_t stage;                    /* if it goes on: in which it is */
  uint8_t cause;                    /* of WAITED */
  uint8_t lanes, parts;
};

enum {
  SL_RECORD_CODES = 1 << 12,
  /* The longest record, with what is behind it. */
  SL_RECORD_BYTES = sizeof(struct sl_probe_record) + sizeof(struct sl_record_life) + sizeof(struct sl_record_data) +
                    sizeof(struct sl_insn) + 2 * SL_MAX_LANES * (4 + 8) + 8
};

/* The place of a pc in a table of SL_RECORD_CODES. A later pc of the same place takes it over. */
static inline size_t sl_record_code(uint64_t pc)
{
  return (size_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 40) % SL_RECORD_CODES;
}

struct sl_probe_records {
  uint8_t *at;     /* of the next record */
  uint8_t *full;   /* from here on there is no room for every record */
  unsigned launch; /* of the records */
  unsigned arrays; /* kinds of which values and addresses of lanes are kept */
  bool lives;      /* SL_RECORD_LIFE is understood, and records may be late by the cycles of a pipeline */
  /* Makes room, and notes the launch of the next records. False: the run has to stop. */
  bool (*turn)(struct sl_probe_records *records, unsigned launch);
  struct sl_probe_record *wait;   /* the last WAITED in the buffer that sl_record_wait_of has added; NULL: none */
  uint64_t told[SL_RECORD_CODES]; /* pc + 1 of instructions that a record has had; 0: none */
};

/* Adds a record, which the caller fills in. */
static inline struct sl_probe_record *sl_record_add(struct sl_probes *probes, unsigned launch)
{
  struct sl_probe_records *records = probes->records;
  if (__builtin_expect(records->at >= records->full || records->launch != launch, 0))
    probes->stopped = !records->turn(records, launch) || probes->stopped;
  struct sl_probe_record *record = (void *)records->at;
  records->at += sizeof *record;
  return record;
}

/* Adds cycles of an issue slot. If they are equal to those of the last record and follow them, it becomes longer, for
 * an observer that takes records late. */
static inline void sl_record_wait_of(struct sl_probes *probes, unsigned launch, const struct sl_probe_record *wait)
{
  struct sl_probe_records *records = probes->records;
  struct sl_probe_record *last = records->lives && records->launch == launch ? records->wait : NULL;
  if (last != NULL && last->cycle + wait->more == wait->cycle && last->pc == wait->pc && last->warp == wait->warp &&
      last->core == wait->core && last->stage == wait->stage && (int64_t)wait->more > 0) {
    last->cycle = wait->cycle;
    last->more += wait->more;
    return;
  }
  last = sl_record_add(probes, launch);
  *last = *wait;
  records->wait = last;
}

/* Adds any event that has no pointers but those of an instruction's data. Whether the run has to stop is told by the
 * next record at the latest. */
void sl_record_event(struct sl_probe_records *records, const struct sl_probe *probe);

/* Adds an execution of RISC-V: a record that has all but its kind, the instruction, and its lanes' data or NULL. */
void sl_record_execution(struct sl_probes *probes, unsigned launch, const struct sl_probe_record *record,
                         const struct sl_insn *insn, unsigned lanes, const uint32_t *values, const uint32_t *address);

/* A record and its life, as they are in the buffer. */
struct sl_life_record {
  struct sl_probe_record record;
  struct sl_record_life life;
};

SL_HOLDS(sizeof(struct sl_probe_record) + sizeof(struct sl_record_life), sizeof(struct sl_life_record),
         "a life is behind its record");

/* Adds the life of an instruction, which the caller fills in. */
static inline struct sl_life_record *sl_record_add_life(struct sl_probes *probes, unsigned launch)
{
  struct sl_life_record *const added = (void *)sl_record_add(probes, launch);
  probes->records->at += sizeof added->life;
  added->record.kind = SL_RECORD_LIFE;
  return added;
}

/* A decoded instruction is needed once for each pc. */
static inline unsigned sl_record_code_part(struct sl_probe_records *records, uint64_t pc)
{
  uint64_t *const told = &records->told[sl_record_code(pc)];
  if (*told == pc + 1)
    return 0;
  *told = pc + 1;
  return SL_RECORD_CODE;
}

/* Writes a value per lane, for the usual number of lanes without a loop. Returns what is behind them. */
static inline uint8_t *sl_record_put_lanes(uint8_t *at, const uint32_t *values, unsigned lanes)
{
  enum { USUAL = 32 };
  if (lanes == USUAL)
    memcpy(at, values, USUAL * sizeof *values);
  else
    memcpy(at, values, lanes * sizeof *values);
  return at + lanes * sizeof *values;
}

/* Adds the parts of an execution of RISC-V behind the life that was added last: the instruction, and its lanes' data or
 * NULL. Sets `lanes` and `parts`. */
static inline void sl_record_parts(struct sl_probe_records *records, struct sl_life_record *added,
                                   const struct sl_insn *insn, unsigned lanes, const uint32_t *values,
                                   const uint32_t *address)
{
  unsigned parts = sl_record_code_part(records, added->record.pc);
  uint8_t *at = records->at;
  if (parts != 0) {
    memcpy(at, insn, sizeof *insn);
    at += sizeof *insn;
  }
  if (values != NULL && (records->arrays & SL_PROBE_EXECUTED) != 0) {
    parts |= SL_RECORD_VALUES;
    at = sl_record_put_lanes(at, values, lanes);
  }
  if (address != NULL && (records->arrays & SL_PROBE_EXECUTED) != 0) {
    parts |= SL_RECORD_ADDRESSES;
    at = sl_record_put_lanes(at, address, lanes);
  }
  records->at = at + (-(uintptr_t)at & 7);
  added->life.lanes = (uint8_t)lanes;
  added->life.parts = (uint8_t)parts;
}

#endif
