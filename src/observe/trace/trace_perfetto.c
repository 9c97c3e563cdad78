/* Track events of Perfetto: a protocol buffer per packet, for ui.perfetto.dev.
 * Source of the field numbers: https://github.com/google/perfetto, protos/perfetto/trace.
 *
 * A core is a track; below it, each warp has a track per stage. Slices of a track may not overlap, so a second
 * instruction of the warp in the same stage is on a second track. A cycle is a nanosecond. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/trace/trace.h"

enum { TRACE_PACKET = 1 };
enum { TIMESTAMP = 8, SEQUENCE = 10, TRACK_EVENT = 11, INTERNED = 12, FLAGS = 13, DESCRIPTOR = 60 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PARENT = 5 };
enum { EVENT_ANNOTATION = 4, EVENT_TYPE = 9, EVENT_NAME = 10, EVENT_TRACK = 11, EVENT_TEXT = 23 };
enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3 };
enum { NAMES = 2, NAME_ID = 1, NAME_TEXT = 2 };
enum { ANNOTATION_UINT = 3, ANNOTATION_NAME = 10 };
enum { CLEARED = 1, NEEDS_STATE = 2 };

enum { TRACKS = 32, STAGES = 8, FIRST_NAMES = 1 << 10 };

/* A name of slices: an instruction of the program, as far as it is known. */
struct name {
  uint64_t pc;
  uint32_t id; /* 0: a free place */
  bool executed;
};

struct perfetto {
  uint32_t busy[SL_COMMIT_WARPS][STAGES]; /* tracks of a warp's stage that have a slice */
  uint32_t told[SL_COMMIT_WARPS][STAGES]; /* tracks that the file has described */
  uint8_t core[1 << 12];                  /* whether the file has described a core */
  struct name *name;                      /* hash table by pc; its size is a power of two */
  size_t room;
  uint32_t names;
  bool begun;
};

/* A message under construction. */
struct message {
  uint8_t bytes[400];
  size_t size;
};

static void put_varint(struct message *m, uint64_t value)
{
  for (; value >= 0x80; value >>= 7)
    m->bytes[m->size++] = (uint8_t)(value | 0x80);
  m->bytes[m->size++] = (uint8_t)value;
}

static void put_number(struct message *m, unsigned field, uint64_t value)
{
  put_varint(m, field << 3);
  put_varint(m, value);
}

static void put_bytes(struct message *m, unsigned field, const void *bytes, size_t size)
{
  put_varint(m, field << 3 | 2);
  put_varint(m, size);
  memcpy(m->bytes + m->size, bytes, size);
  m->size += size;
}

static void put_text(struct message *m, unsigned field, const char *text)
{
  put_bytes(m, field, text, strlen(text));
}

static void put_message(struct message *m, unsigned field, const struct message *inner)
{
  put_bytes(m, field, inner->bytes, inner->size);
}

/* The first packet of the sequence clears its state. */
static void write_packet(struct sl_trace *trace, struct message *packet)
{
  struct perfetto *p = trace->state;
  struct message whole = {.size = 0};
  put_number(packet, SEQUENCE, 1);
  put_number(packet, FLAGS, p->begun ? NEEDS_STATE : CLEARED);
  p->begun = true;
  put_message(&whole, TRACE_PACKET, packet);
  sl_trace_file_write(&trace->file, whole.bytes, whole.size);
}

static void describe(struct sl_trace *trace, uint64_t uuid, uint64_t parent, const char *name)
{
  struct message packet = {.size = 0}, track = {.size = 0};
  put_number(&track, TRACK_UUID, uuid);
  put_text(&track, TRACK_NAME, name);
  if (parent != 0)
    put_number(&track, TRACK_PARENT, parent);
  put_message(&packet, DESCRIPTOR, &track);
  write_packet(trace, &packet);
}

static uint64_t core_track(unsigned core)
{
  return UINT64_C(1) << 48 | core;
}

static uint64_t slot_track(unsigned core)
{
  return UINT64_C(2) << 48 | core;
}

static uint64_t stage_track(unsigned warp, unsigned stage, unsigned track)
{
  return UINT64_C(3) << 48 | (uint64_t)warp << 16 | stage << 8 | track;
}

static void describe_core(struct sl_trace *trace, unsigned core)
{
  struct perfetto *p = trace->state;
  char name[64];
  if (core >= sizeof p->core || p->core[core])
    return;
  p->core[core] = 1;
  snprintf(name, sizeof name, "core %u", core);
  describe(trace, core_track(core), 0, name);
  snprintf(name, sizeof name, "core %u: issue slot", core);
  describe(trace, slot_track(core), core_track(core), name);
}

static enum sl_status begin(struct sl_trace *trace, struct sl_error *err)
{
  struct perfetto *p = trace->state = calloc(1, sizeof *p);
  if (p != NULL)
    p->name = calloc(FIRST_NAMES, sizeof *p->name);
  if (p == NULL || p->name == NULL)
    return sl_no_memory(err, sizeof *p);
  p->room = FIRST_NAMES;
  return SL_OK;
}

static struct name *find_name(struct name *table, size_t room, uint64_t pc, bool executed)
{
  size_t at = (size_t)((2 * pc + executed) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
  while (table[at].id != 0 && (table[at].pc != pc || table[at].executed != executed))
    at = (at + 1) & (room - 1);
  return &table[at];
}

static bool make_room(struct perfetto *p)
{
  if (2 * p->names < p->room)
    return true;
  struct name *table = calloc(2 * p->room, sizeof *table);
  if (table == NULL)
    return false;
  for (size_t i = 0; i < p->room; i++)
    if (p->name[i].id != 0)
      *find_name(table, 2 * p->room, p->name[i].pc, p->name[i].executed) = p->name[i];
  free(p->name);
  p->name = table;
  p->room *= 2;
  return true;
}

/* Defines the name of an instruction: its text once it has executed, and its pc before. Returns its number. */
static uint32_t name_of(struct sl_trace *trace, uint64_t pc, const char *text, struct message *packet)
{
  struct perfetto *p = trace->state;
  struct message interned = {.size = 0}, entry = {.size = 0};
  char name[160];
  if (!make_room(p)) {
    trace->lost = true;
    return 0;
  }
  struct name *found = find_name(p->name, p->room, pc, text != NULL);
  if (found->id != 0)
    return found->id;
  *found = (struct name){.pc = pc, .id = ++p->names, .executed = text != NULL};
  snprintf(name, sizeof name, "%08" PRIx64 "%s%s", pc, text != NULL ? "  " : "", text != NULL ? text : "");
  put_number(&entry, NAME_ID, found->id);
  put_text(&entry, NAME_TEXT, name);
  put_message(&interned, NAMES, &entry);
  put_message(packet, INTERNED, &interned);
  return found->id;
}

static void write_slice(struct sl_trace *trace, unsigned type, uint64_t track, uint64_t time, uint32_t name,
                        sl_lanes active, struct message *packet)
{
  struct message event = {.size = 0}, annotation = {.size = 0};
  put_number(packet, TIMESTAMP, time);
  put_number(&event, EVENT_TYPE, type);
  put_number(&event, EVENT_TRACK, track);
  if (name != 0)
    put_number(&event, EVENT_NAME, name);
  if (active != 0) {
    put_text(&annotation, ANNOTATION_NAME, "active lanes");
    put_number(&annotation, ANNOTATION_UINT, (uint64_t)active);
    put_message(&event, EVENT_ANNOTATION, &annotation);
  }
  put_message(packet, TRACK_EVENT, &event);
  write_packet(trace, packet);
}

static void begin_slice(struct sl_trace *trace, struct sl_trace_insn *insn, unsigned stage, uint64_t time)
{
  struct perfetto *p = trace->state;
  struct message packet = {.size = 0};
  const unsigned warp = insn->warp % SL_COMMIT_WARPS, at = stage % STAGES;
  const unsigned track = ~p->busy[warp][at] != 0 ? (unsigned)__builtin_ctz(~p->busy[warp][at]) : TRACKS - 1;
  describe_core(trace, insn->core);
  if ((p->told[warp][at] >> track & 1) == 0) {
    char name[80];
    snprintf(name, sizeof name, track > 0 ? "warp %u: %s (%u)" : "warp %u: %s", insn->warp,
             trace->order.machine->stages->stage[stage].name, track + 1);
    describe(trace, stage_track(insn->warp, stage, track), core_track(insn->core), name);
    p->told[warp][at] |= UINT32_C(1) << track;
  }
  p->busy[warp][at] |= UINT32_C(1) << track;
  insn->note.code = track;
  const struct sl_trace_code *code = sl_trace_code(trace, insn->pc);
  const uint32_t name = name_of(trace, insn->pc, code != NULL ? code->text : NULL, &packet);
  write_slice(trace, SLICE_BEGIN, stage_track(insn->warp, stage, track), time, name, insn->active, &packet);
}

static void end_slice(struct sl_trace *trace, const struct sl_trace_insn *insn, uint64_t time)
{
  struct perfetto *p = trace->state;
  struct message packet = {.size = 0};
  p->busy[insn->warp % SL_COMMIT_WARPS][insn->stage % STAGES] &= ~(UINT32_C(1) << insn->note.code);
  write_slice(trace, SLICE_END, stage_track(insn->warp, insn->stage, insn->note.code), time, 0, 0, &packet);
}

static void enter(struct sl_trace *trace, struct sl_trace_insn *insn, bool first, unsigned stage, uint64_t time)
{
  if (!first)
    end_slice(trace, insn, time);
  begin_slice(trace, insn, stage, time);
}

static void leave(struct sl_trace *trace, struct sl_trace_insn *insn, enum sl_trace_end how, uint64_t time)
{
  (void)how;
  end_slice(trace, insn, time);
}

/* Other lanes of a warp run next: a mark in the row of the core's issue slot. */
static void event(struct sl_trace *trace, const struct sl_probe *probe, const struct sl_trace_insn *insn, uint64_t time)
{
  struct message packet = {.size = 0}, mark = {.size = 0};
  char text[80];
  (void)insn;
  describe_core(trace, probe->core);
  snprintf(text, sizeof text, "warp %u: lanes %" PRIx64 " at %08" PRIx64, probe->warp, (uint64_t)probe->active,
           probe->holder);
  put_number(&packet, TIMESTAMP, time);
  put_number(&mark, EVENT_TYPE, INSTANT);
  put_number(&mark, EVENT_TRACK, slot_track(probe->core));
  put_text(&mark, EVENT_TEXT, text);
  put_message(&packet, TRACK_EVENT, &mark);
  write_packet(trace, &packet);
}

static void end(struct sl_trace *trace, uint64_t time)
{
  struct perfetto *p = trace->state;
  (void)time;
  free(p->name);
}

const struct sl_trace_format sl_trace_perfetto = {
    .wanted = SL_PROBE_SWITCHED,
    .begin = begin,
    .enter = enter,
    .leave = leave,
    .event = event,
    .end = end,
};
