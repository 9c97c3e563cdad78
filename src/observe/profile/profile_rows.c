#include "observe/profile/profile_rows.h"

#include <stdlib.h>

/* Returns the number of words up to the end of the decoded code. */
static size_t words_of(const struct sl_soc *soc, const struct sl_program *program)
{
  uint64_t last = soc->code_base;
  for (size_t i = 0; i < sl_program_segment_count(program); i++) {
    const struct sl_segment *segment = sl_program_segment(program, i);
    const uint64_t end = (uint64_t)segment->address + segment->file_size;
    last = segment->executable && end > last ? end : last;
  }
  const uint64_t words = (last - soc->code_base + 3) / 4;
  return words < soc->code_words ? words : soc->code_words;
}

enum sl_status sl_profile_create(struct sl_profile *profile, const struct sl_soc *soc, const struct sl_program *program,
                                 struct sl_error *err)
{
  const size_t words = soc->whole_memory ? words_of(soc, program) : soc->code_words;
  *profile = (struct sl_profile){.code_base = soc->code_base,
                                 .word_bytes = 4,
                                 .count = words > 0 ? words : 1,
                                 .program = program,
                                 .choice.number = SL_EVERY_LAUNCH};
  profile->rows = calloc(profile->count, sizeof *profile->rows);
  return profile->rows != NULL ? SL_OK : sl_no_memory(err, profile->count * sizeof *profile->rows);
}

void sl_profile_free(struct sl_profile *profile)
{
  free(profile->rows);
  *profile = (struct sl_profile){0};
}

static void add(struct sl_profile_row *row, const struct sl_probe *p)
{
  switch (p->kind) {
  case SL_PROBE_ISSUED:
    row->vector_issues += !p->scalar;
    row->scalar_issues += p->scalar;
    row->active_lanes += sl_count(p->active);
    break;
  case SL_PROBE_RETRIED: row->retries++; break;
  case SL_PROBE_ABORTED: row->aborts++; break;
  case SL_PROBE_WAITED: row->cycles[p->cause] += (uint64_t)p->count; break;
  case SL_PROBE_TRANSACTED: row->transactions++; break;
  case SL_PROBE_BANKED:
    row->scratchpad_requests++;
    row->scratchpad_passes += (uint64_t)p->count;
    row->scratchpad_least += (uint64_t)p->least;
    break;
  case SL_PROBE_VALUES: (p->writes ? row->results : row->operands)[p->regularity]++; break;
  case SL_PROBE_SPILLED: row->spills++; break;
  case SL_PROBE_FILLED: row->unspills++; break;
  case SL_PROBE_QUEUED: row->queued += (uint64_t)p->count; break;
  default: break;
  }
}

static void count_held(struct sl_profile *profile, const struct sl_probe *p)
{
  const uint64_t index = (p->holder - profile->code_base) / profile->word_bytes;
  if (!profile->counting || index >= profile->count)
    return;
  if (p->kind == SL_PROBE_QUEUED)
    profile->rows[index].queued_held += (uint64_t)p->count;
  else
    profile->rows[index].held++;
}

static bool tell(void *context, const struct sl_probe *probe)
{
  struct sl_profile *profile = context;
  const uint64_t index = (probe->pc - profile->code_base) / profile->word_bytes;
  if (probe->kind == SL_PROBE_LAUNCHED)
    profile->counting = sl_launch_chosen(&profile->choice, profile->program, probe->launch, (uint32_t)probe->pc);
  else if (probe->kind == SL_PROBE_ENDED)
    profile->counting = false;
  else if (profile->counting && index < profile->count)
    add(&profile->rows[index], probe);
  if ((probe->kind & (SL_PROBE_RETRIED | SL_PROBE_QUEUED)) && probe->holder != 0)
    count_held(profile, probe);
  return true;
}

struct sl_probes sl_profile_probes(struct sl_profile *profile)
{
  return (struct sl_probes){.wanted = SL_PROBE_LAUNCHED | SL_PROBE_ENDED | SL_PROBE_ISSUED | SL_PROBE_RETRIED |
                                      SL_PROBE_ABORTED | SL_PROBE_WAITED | SL_PROBE_TRANSACTED | SL_PROBE_BANKED |
                                      SL_PROBE_VALUES | SL_PROBE_SPILLED | SL_PROBE_FILLED | SL_PROBE_QUEUED,
                            .tell = tell,
                            .context = profile};
}
