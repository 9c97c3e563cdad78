#include "observe/profile/profile.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "observe/json.h"

/* Minimum share of all cycles for a rule to apply; below a twentieth the possible gain is small. */
#define SHARE_LEAST 0.05

struct advice {
  const struct sl_profile_report *report;
  struct sl_advice_item *item;
  size_t count;
};

static double share_of(const struct advice *a, uint64_t cycles)
{
  return sl_ratio(cycles, a->report->total.cycles);
}

/* Adds advice to the list, which keeps the items of highest weight. */
__attribute__((format(printf, 4, 5))) static void advise(struct advice *a, const char *rule, double share,
                                                         const char *format, ...)
{
  size_t i = a->count < SL_ADVICE_MOST ? a->count++ : SL_ADVICE_MOST - 1;
  if (a->count == SL_ADVICE_MOST && a->item[i].rule != NULL && a->item[i].share >= share)
    return;
  for (; i > 0 && a->item[i - 1].share < share; i--)
    a->item[i] = a->item[i - 1];
  a->item[i] = (struct sl_advice_item){.rule = rule, .share = share};
  va_list args;
  va_start(args, format);
  vsnprintf(a->item[i].text, SL_ADVICE_TEXT, format, args);
  va_end(args);
}

/* Cycles of a sum for a stall reason, by name. */
static uint64_t cause(const struct advice *a, const struct sl_profile_sum *sum, const char *name)
{
  const struct sl_stall_reasons *causes = sl_profile_stall_reasons(a->report);
  for (size_t i = 0; i < causes->count; i++)
    if (strcmp(causes->cause[i].name, name) == 0)
      return sum->row.cycles[i];
  return 0;
}

/* Cycles of a sum for all stall reasons of a kind. */
static uint64_t of_kind(const struct advice *a, const struct sl_profile_sum *sum, enum sl_stall_reason_kind kind)
{
  const struct sl_stall_reasons *causes = sl_profile_stall_reasons(a->report);
  uint64_t cycles = 0;
  for (size_t i = 0; i < causes->count; i++)
    cycles += causes->cause[i].kind == kind ? sum->row.cycles[i] : 0;
  return cycles;
}

static unsigned lanes_of(const struct advice *a)
{
  return a->report->run.config->machine->soc(a->report->run.config->spec).lanes;
}

/* Returns the line with most cycles in stall reasons of a kind. */
static const struct sl_profile_line *line_of(const struct advice *a, enum sl_stall_reason_kind kind)
{
  const struct sl_profile_line *most = NULL;
  for (size_t i = 0; i < a->report->line_count; i++)
    if (most == NULL || of_kind(a, &a->report->lines[i].sum, kind) > of_kind(a, &most->sum, kind))
      most = &a->report->lines[i];
  return most;
}

/* ---- rules for a line -------------------------------------------------------------------------------------------- */

static void uncoalesced(struct advice *a, const struct sl_profile_line *line, const char *name)
{
  enum { MANY = 2 };
  const struct sl_profile_sum *s = &line->sum;
  const double each = sl_ratio(s->row.transactions, s->accesses);
  const uint64_t waits = of_kind(a, s, SL_STALL_REASON_MEMORY) + s->row.held + s->row.retries;
  if (each < MANY || share_of(a, waits) < SHARE_LEAST)
    return;
  char held[120] = "";
  if (s->row.held > 0)
    snprintf(held, sizeof held, "; it occupies the memory path for %.0f %% of all retries",
             sl_percent(s->row.held, a->report->total.row.retries));
  else if (s->row.queued_held > 0)
    snprintf(held, sizeof held, "; it causes %.0f %% of all waiting for the memory unit",
             sl_percent(s->row.queued_held, a->report->total.row.queued));
  advise(a, "uncoalesced", share_of(a, waits),
         "%s: %.1f transactions per access where 1 is possible%s. Let adjacent lanes access adjacent words, or stage "
         "rows in shared memory",
         name, each, held);
}

static void bank_conflicts(struct advice *a, const struct sl_profile_line *line, const char *name)
{
  const struct sl_profile_row *row = &line->sum.row;
  const uint64_t conflicts = sl_bank_conflicts(row);
  if (2 * conflicts < row->scratchpad_least || share_of(a, conflicts) < SHARE_LEAST)
    return;
  advise(
      a, "bank conflicts", share_of(a, conflicts),
      "%s: %.1f shared memory bank cycles per access where %.1f are enough. Lanes conflict in a bank if the distance "
      "of their words is a multiple of the number of banks: pad rows of the array by a word",
      name, sl_ratio(row->scratchpad_passes, row->scratchpad_requests),
      sl_ratio(row->scratchpad_least, row->scratchpad_requests));
}

static void divergence(struct advice *a, const struct sl_profile_line *line, const char *name)
{
  const double lanes = sl_ratio(line->sum.row.active_lanes, line->sum.issues), all = lanes_of(a);
  const double lost = share_of(a, cause(a, &line->sum, "issued")) * (1 - lanes / all);
  if (line->sum.issues == 0 || lanes > 0.6 * all || lost < SHARE_LEAST)
    return;
  advise(a, "divergence", lost,
         "%s: %.1f of %.0f lanes are active. Let adjacent threads take the same path: branch by warp or block, or sort "
         "the work",
         name, lanes, all);
}

/* ---- rules for the whole run ------------------------------------------------------------------------------------- */

static const char *on_line(const struct advice *a, enum sl_stall_reason_kind kind, char text[SL_LINE_NAME])
{
  const struct sl_profile_line *line = line_of(a, kind);
  return line != NULL ? sl_profile_line_name(&line->at, text) : "";
}

/* What to do for more warps, by what limits those that are resident; "": nothing can be done. */
static const char *more_warps(const struct advice *a)
{
  const struct sl_occupancies *all = a->report->run.occupancies;
  const unsigned limits = all != NULL ? sl_occupancy_limits(all) : 0;
  if (limits & SL_OCCUPANCY_WARPS)
    return "All warps of the core are resident already: give each thread more independent work";
  if (limits & SL_OCCUPANCY_SHARED)
    return "Shared memory limits the resident warps: use less of it per block, or give each thread more independent "
           "work";
  if (limits & SL_OCCUPANCY_REGISTERS)
    return "Registers limit the resident warps: use fewer per thread, or give each thread more independent work";
  if (limits & SL_OCCUPANCY_SLOTS)
    return "The number of blocks limits the resident warps: launch larger blocks";
  if (limits & SL_OCCUPANCY_GRID)
    return "The grid has no more blocks: launch more threads";
  return "Run more warps: more threads, or more blocks at a time";
}

/* What lets more blocks run while one waits at its barrier. */
static const char *more_blocks(const struct advice *a)
{
  const struct sl_occupancies *all = a->report->run.occupancies;
  const unsigned limits = all != NULL ? sl_occupancy_limits(all) : 0;
  if (limits & SL_OCCUPANCY_SHARED)
    return "Shared memory limits the resident blocks: use less of it per block";
  if (limits & SL_OCCUPANCY_REGISTERS)
    return "Registers limit the resident blocks: use fewer per thread";
  if (limits & SL_OCCUPANCY_GRID)
    return "The grid has no more blocks: make them smaller";
  return "Smaller blocks let others run meanwhile";
}

static void barrier(struct advice *a)
{
  char text[SL_LINE_NAME];
  const double share = share_of(a, cause(a, &a->report->total, "barrier"));
  if (share >= 2 * SHARE_LEAST)
    advise(
        a, "barrier", share,
        "%s: in %.0f %% of the cycles all other warps wait at a barrier for the warps at this line. Balance the work "
        "between barriers. %s",
        on_line(a, SL_STALL_REASON_BARRIER, text), 100 * share, more_blocks(a));
}

static void imbalance(struct advice *a)
{
  const uint64_t idle = cause(a, &a->report->total, "finished") + cause(a, &a->report->total, "drain");
  const double share = share_of(a, idle);
  if (share >= 2 * SHARE_LEAST)
    advise(a, "imbalance", share,
           "in %.0f %% of the cycles some warps have ended and the remaining ones cannot fill the machine. Give every "
           "block the same work, or launch more and smaller blocks",
           100 * share);
}

static void occupancy(struct advice *a)
{
  const double share = share_of(a, cause(a, &a->report->total, "pipeline"));
  if (share >= 5 * SHARE_LEAST)
    advise(a, "occupancy", share, "in %.0f %% of the cycles every resident warp has an instruction in flight. %s",
           100 * share, more_warps(a));
}

/* Beats per cycle of SIMTight's DRAM, whose peak is one. */
static double bandwidth(const struct advice *a)
{
  const struct sl_figures *f = &a->report->figures;
  return f->dram_beats.known ? sl_ratio(f->dram_beats.value, f->cycles) : 0;
}

static void memory(struct advice *a)
{
  char text[SL_LINE_NAME];
  const double share = share_of(a, of_kind(a, &a->report->total, SL_STALL_REASON_MEMORY)), used = bandwidth(a);
  const double weight = share > used ? share : used;
  if (used >= 0.6)
    advise(
        a, "bandwidth", weight,
        "DRAM is busy in %.0f %% of the cycles: its bandwidth limits the kernel. Load less, keep reused data in shared "
        "memory or registers, or use smaller types",
        100 * used);
  else if (share >= 4 * SHARE_LEAST)
    advise(a, "latency", weight,
           "%s: in %.0f %% of the cycles the warps that could run wait for memory%s. %s. Or let a thread begin several "
           "loads before it uses the first",
           on_line(a, SL_STALL_REASON_MEMORY, text), 100 * share, used > 0 ? ", whose bandwidth is not exhausted" : "",
           more_warps(a));
}

static void spilling(struct advice *a)
{
  char text[SL_LINE_NAME];
  const uint64_t cycles = cause(a, &a->report->total, "spill") + cause(a, &a->report->total, "unspill");
  if (share_of(a, cycles) >= SHARE_LEAST)
    advise(
        a, "spilling", share_of(a, cycles),
        "%s: spills and reloads of vector registers take %.0f %% of the cycles. Keep fewer general vectors live at a "
        "time, or use more slots (registers.slots)",
        on_line(a, SL_STALL_REASON_UNSPILL, text), 100 * share_of(a, cycles));
}

/* Uniform computations on a machine that executes them on every lane. */
static void scalar(struct advice *a)
{
  const uint64_t *results = a->report->total.row.results;
  const uint64_t all = results[SL_UNIFORM] + results[SL_AFFINE] + results[SL_GENERAL];
  const double uniform = sl_ratio(results[SL_UNIFORM], all),
               issued = share_of(a, cause(a, &a->report->total, "issued"));
  const unsigned parts = a->report->run.config->machine->profiled(a->report->run.config->spec);
  if (!(parts & SL_PROFILE_REGULARITY) || (parts & SL_PROFILE_SCALAR) || uniform < 0.6 || issued < 0.5)
    return;
  advise(a, "scalar", uniform * issued,
         "%.0f %% of the results are the same in all lanes. Give each thread more work, so that it reuses them (longer "
         "loops, fewer threads), or use a machine with a scalar pipeline, which computes them once (simtight-rfc-pp)",
         100 * uniform);
}

size_t sl_profile_advice(const struct sl_profile_report *report, struct sl_advice_item item[SL_ADVICE_MOST])
{
  struct advice a = {.report = report, .item = item};
  memset(item, 0, SL_ADVICE_MOST * sizeof *item);
  for (size_t i = 0; i < report->line_count; i++) {
    char name[SL_LINE_NAME];
    sl_profile_line_name(&report->lines[i].at, name);
    uncoalesced(&a, &report->lines[i], name);
    bank_conflicts(&a, &report->lines[i], name);
    divergence(&a, &report->lines[i], name);
  }
  barrier(&a);
  imbalance(&a);
  occupancy(&a);
  memory(&a);
  spilling(&a);
  scalar(&a);
  return a.count;
}

json_t *sl_profile_advice_json(const struct sl_profile_report *report)
{
  struct sl_advice_item item[SL_ADVICE_MOST];
  const size_t count = sl_profile_advice(report, item);
  json_t *json = json_array();
  for (size_t i = 0; i < count && json != NULL; i++) {
    json_t *one = SL_JSON({"rule", json_string(item[i].rule)}, {"share", json_real(item[i].share)},
                          {"text", sl_json_text(item[i].text)});
    sl_json_append(&json, one);
  }
  return json;
}
