#include "unit/streams_extension.h"

#include <stdlib.h>

#include "base/validate.h"
#include "unit/stream_engine.h"
#include "unit/streams_validate.h"

/* The data that the extension stores with an instruction. */
struct note {
  struct sl_stream_use use;
  bool begins; /* a CSR access that begins an epoch */
};

SL_HOLDS(sizeof(struct sl_extension_note), sizeof(struct note), "what streams keep with an instruction");
SL_HOLDS(SL_EXTENSION_REQUESTS, SL_STREAMS_MAX, "a line per unit and cycle");

/* Accesses it in the note's bytes; all its fields are bytes. */
static struct note *own(struct sl_extension_note *note)
{
  return (struct note *)note->byte;
}

static const struct note *own_const(const struct sl_extension_note *note)
{
  return (const struct note *)note->byte;
}

static const char *rename_registers(void *state, unsigned warp, uint32_t pc, sl_lanes active, struct sl_insn *copy,
                                    struct sl_extension_note *note, bool *replaced)
{
  struct sl_stream_use *use = &own(note)->use;
  const char *wrong = sl_streams_rename(state, warp, pc, active, copy, use);
  *replaced = *replaced || sl_stream_used(use);
  /* Decision: the result of an atomic may arrive after its execution, too late for a stream. */
  if (wrong == NULL && use->write >= 0 && (copy->kind == SL_KIND_AMO || copy->kind == SL_KIND_LRSC))
    wrong = "is an atomic, whose destination cannot be a write stream";
  return wrong;
}

static const char *finish(void *state, struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                          const struct sl_insn *original, unsigned splits, const struct sl_extension_note *note)
{
  (void)w;
  (void)splits;
  return sl_streams_finish(state, warp, ex->pc, ex->active, original, &own_const(note)->use);
}

static bool owns(unsigned csr)
{
  return sl_is_extension_csr(csr, SL_UNIT_STREAM);
}

static const char *read(const void *state, unsigned warp, unsigned csr, uint32_t *values)
{
  return sl_streams_csr_read(state, warp, csr, values);
}

static const char *write(void *state, unsigned warp, unsigned csr, sl_lanes active, const uint32_t *values,
                         struct sl_extension_note *note)
{
  const struct sl_streams *s = state;
  return sl_streams_csr_write(state, warp, csr, active, values, s->spec.timed ? &own(note)->begins : NULL);
}

static bool engaged(const void *state, unsigned warp)
{
  const struct sl_streams *s = state;
  return s->warp[warp].redirecting != 0;
}

static void start(void *state)
{
  sl_streams_start(state);
}

static void set_timed(void *state, bool timed)
{
  struct sl_streams *s = state;
  s->spec.timed = timed;
}

static void reset(void *state, unsigned warp)
{
  sl_streams_stop(state, warp);
}

static void release(void *state)
{
  sl_streams_free(state);
  free(state);
}

static void walk_state(const void *state, struct sl_state_walk *walk)
{
  sl_streams_walk(state, walk);
}

static bool ready(const void *state, unsigned warp, const struct sl_extension_note *note)
{
  return sl_streams_ready(state, warp, &own_const(note)->use);
}

static void issue(void *state, unsigned warp, struct sl_extension_note *note)
{
  sl_streams_issue(state, warp, &own(note)->use);
}

static void commit(void *state, unsigned warp, const struct sl_extension_note *note, sl_lanes active)
{
  sl_streams_commit(state, warp, &own_const(note)->use, active);
}

/* Opens a new mapping. It waits until the warp has committed everything before it, and until the stream's data have
 * been written. */
static bool open_stream(void *state, unsigned warp, unsigned csr, bool alone, const struct sl_extension_note *note)
{
  if (sl_streams_csr_blocks(csr) && (!alone || sl_streams_busy(state, warp, sl_extension_csr_unit(csr))))
    return false;
  if (own_const(note)->begins)
    sl_streams_open(state, warp, csr);
  return true;
}

static unsigned cycle(void *state, unsigned ports, bool local_free, struct sl_extension_request out[])
{
  return sl_streams_cycle(state, ports, local_free, out);
}

static void answered(void *state, uint32_t tag)
{
  sl_streams_return(state, tag);
}

static bool idle(const void *state)
{
  return sl_streams_idle(state);
}

static bool valid(const void *state, const struct sl_extension_flight *flight, unsigned count)
{
  const struct sl_streams *s = state;
  struct sl_stream_uses uses = {0};
  for (unsigned i = 0; i < count; i++) {
    const struct note *note = own_const(flight[i].note);
    if (!sl_bool_valid(&note->begins) || (flight[i].replaced && !sl_stream_use_valid(s, &note->use)))
      return false;
    for (unsigned rest = flight[i].replaced && !flight[i].issued ? note->use.reads : 0; rest; rest &= rest - 1)
      uses.unissued[flight[i].warp][sl_lowest(rest)]++;
  }
  return sl_streams_valid(s, &uses);
}

static bool tag_valid(const void *state, uint32_t tag)
{
  return sl_streams_tag_valid(state, tag);
}

static void derive(void *state)
{
  sl_streams_derive(state);
}

const struct sl_extension_kind sl_streams_extension = {
    .name = "streams",
    .rename = rename_registers,
    .finish = finish,
    .owns = owns,
    .read = read,
    .write = write,
    .engaged = engaged,
    .start = start,
    .set_timed = set_timed,
    .reset = reset,
    .free = release,
    .walk = walk_state,
    .valid = valid,
    .tag_valid = tag_valid,
    .derive = derive,
    .ready = ready,
    .issue = issue,
    .commit = commit,
    .open = open_stream,
    .cycle = cycle,
    .answered = answered,
    .idle = idle,
};
