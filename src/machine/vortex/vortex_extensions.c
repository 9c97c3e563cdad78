#include "machine/vortex/vortex_extensions.h"

#include <stdlib.h>

#include "func/extensions/hardware_loops.h"
#include "func/ipdom_access.h"
#include "timing/pipeline/stream_engine.h"
#include "timing/pipeline/streams_extension.h"

static enum sl_status add_loops(struct sl_ipdom_warps *w, const struct sl_vortex_spec *s, struct sl_loops **loops,
                                struct sl_error *err)
{
  *loops = calloc(1, sizeof **loops);
  if (*loops == NULL)
    return sl_no_memory(err, sizeof **loops);
  sl_ipdom_extend(w, &sl_loops_extension, *loops);
  return sl_loops_init(*loops, s->loops, s->warps, (enum sl_loops_blocking)s->loops_blocking, err);
}

static enum sl_status add_streams(struct sl_ipdom_warps *w, const struct sl_vortex_spec *s, struct sl_loops *loops,
                                  struct sl_error *err)
{
  enum { WINDOW = 64, FRONT = 2 /* fetched, and at decode */ };
  SL_HOLDS(WINDOW, SL_VORTEX_IBUFFER + FRONT, "instructions of a warp before issue");
  const struct sl_streams_spec spec = {
      .count = s->streams,
      .credits = s->stream_credits,
      .lines = s->stream_lines,
      .timed = true,
      .window = WINDOW,
      .local_base = s->local_base,
      .local_bytes = s->local_bytes,
      .access = sl_ipdom_access,
  };
  struct sl_streams *streams = calloc(1, sizeof *streams);
  if (streams == NULL)
    return sl_no_memory(err, sizeof *streams);
  sl_ipdom_extend(w, &sl_streams_extension, streams);
  return sl_streams_init(streams, &spec, w, loops, err);
}

enum sl_status sl_vortex_extend(struct sl_ipdom_warps *w, const struct sl_vortex_spec *spec, struct sl_error *err)
{
  struct sl_loops *loops = NULL;
  enum sl_status code = SL_OK;
  if (spec->loops > 0)
    code = add_loops(w, spec, &loops, err);
  if (code == SL_OK && spec->streams > 0)
    code = add_streams(w, spec, loops, err);
  return code;
}

/* CSR writes of the extensions that fetch waits for: the mapping of a stream, and those to loops that `loops.blocking`
 * selects. decision: fetch does not know whether a write to the bound sets the enable bit, so all such writes count. */
unsigned sl_vortex_extension_waits(const struct sl_vortex_spec *spec, const struct sl_insn *in)
{
  const unsigned reg = sl_extension_csr_register(in->csr);
  if (spec->streams > 0 && sl_is_extension_csr(in->csr, SL_UNIT_STREAM))
    return SL_VORTEX_UNIT_WAITS | (sl_streams_csr_blocks(in->csr) ? SL_VORTEX_FETCH_WAITS : 0u);
  if (spec->loops == 0 || !sl_is_extension_csr(in->csr, SL_UNIT_LOOP))
    return 0;
  const bool waits = spec->loops_blocking == SL_LOOPS_BLOCK_ALL ||
                     (spec->loops_blocking == SL_LOOPS_BLOCK_ENABLE && reg == SL_LOOP_BOUND);
  return waits ? SL_VORTEX_FETCH_WAITS : 0;
}

static const struct sl_streams *streams_of(const struct sl_ipdom_warps *w)
{
  for (unsigned i = 0; i < w->extensions; i++)
    if (w->extension[i].kind == &sl_streams_extension)
      return w->extension[i].state;
  return NULL;
}

uint64_t sl_vortex_extension_count(const struct sl_ipdom_warps *w, enum sl_vortex_extension_counter counter)
{
  const struct sl_streams *s = streams_of(w);
  if (s == NULL)
    return 0;
  switch (counter) {
  case SL_VORTEX_ELEMENTS_READ: return s->s.counters.elements_read;
  case SL_VORTEX_ELEMENTS_WRITTEN: return s->s.counters.elements_written;
  case SL_VORTEX_EXTENSION_LINES: return s->s.counters.lines_read + s->s.counters.lines_written;
  }
  return 0;
}
