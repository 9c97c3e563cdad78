#include "observe/profile/profile.h"

/* clang-format off */
#define PART(name) static uint64_t name(const struct sl_profile_sum *sum)
PART(cycles) { return sum->cycles; }
PART(issued) { return sum->row.cycles[0]; }
PART(issues) { return sum->issues; }
PART(accesses) { return sum->accesses; }
PART(vector_issues) { return sum->row.vector_issues; }
PART(scalar_issues) { return sum->row.scalar_issues; }
PART(active_lanes) { return sum->row.active_lanes; }
PART(retries) { return sum->row.retries; }
PART(aborts) { return sum->row.aborts; }
PART(spills) { return sum->row.spills; }
PART(unspills) { return sum->row.unspills; }
PART(transactions) { return sum->row.transactions; }
PART(scratchpad_requests) { return sum->row.scratchpad_requests; }
PART(scratchpad_passes) { return sum->row.scratchpad_passes; }
PART(held) { return sum->row.held; }
PART(queued) { return sum->row.queued; }
PART(queued_held) { return sum->row.queued_held; }
PART(scratchpad_least) { return sum->row.scratchpad_least; }
PART(bank_conflicts) { return sl_bank_conflicts(&sum->row); }

#define WHOLE(name) static uint64_t name(const struct sl_profile_report *report, const struct sl_profile_sum *sum)
WHOLE(all_cycles) { (void)sum; return report->total.cycles; }
WHOLE(own_cycles) { (void)report; return sum->cycles; }
WHOLE(own_issues) { (void)report; return sum->issues; }
WHOLE(own_accesses) { (void)report; return sum->accesses; }
WHOLE(own_requests) { (void)report; return sum->row.scratchpad_requests; }

#define KINDS(name) static const uint64_t *name(const struct sl_profile_sum *sum)
KINDS(operands) { return sum->row.operands; }
KINDS(results) { return sum->row.results; }
/* clang-format on */

/* In the order of HTML and text. */
const struct sl_profile_column sl_profile_columns[] = {
    {.name = "cycles",
     .title = "cycles",
     .meaning = "issue-slot cycles attributed to it, over all stall reasons",
     .text = {"cycles", ""},
     .width = 10,
     .part = cycles},
    {.title = "%",
     .meaning = "share of all cycles",
     .text = {"share", "%"},
     .width = 6,
     .form = SL_COLUMN_PERCENT,
     .digits = 1,
     .part = cycles,
     .whole = all_cycles},
    {.name = "cycles_by_cause",
     .title = "where they went",
     .meaning = "stall reasons of its cycles; sorted by the share in which it issued",
     .form = SL_COLUMN_STALL_REASONS,
     .part = issued,
     .whole = own_cycles},
    {.name = "dram_transactions",
     .title = "trans./access",
     .meaning =
         "memory transactions per load, store or atomic: 1 is perfectly coalesced; each takes one or more DRAM beats",
     .text = {"trans/", "access"},
     .width = 6,
     .spare = 1,
     .event = "memory transactions",
     .form = SL_COLUMN_RATIO,
     .digits = 2,
     .needs = SL_PROFILE_DRAM,
     .part = transactions,
     .whole = own_accesses},
    {.name = "cache_lines",
     .title = "lines/access",
     .meaning = "lines requested from the data cache per load, store or atomic",
     .text = {"lines/", "access"},
     .width = 6,
     .spare = 1,
     .event = "lines requested from the data cache",
     .form = SL_COLUMN_RATIO,
     .digits = 2,
     .needs = SL_PROFILE_CACHE_LINES,
     .part = transactions,
     .whole = own_accesses},
    {.name = "bank_conflicts",
     .title = "bank conflicts",
     .meaning = "cycles of the scratchpad's banks beyond the minimum of the access",
     .text = {"bank", "confl."},
     .width = 7,
     .spare = 1,
     .event = "cycles of scratchpad bank conflicts",
     .needs = SL_PROFILE_SCRATCHPAD,
     .part = bank_conflicts,
     .whole = own_requests},
    {.title = "issues",
     .meaning = "number of executions, in all pipelines",
     .text = {"issues", ""},
     .width = 9,
     .spare = 4,
     .part = issues},
    {.name = "vector_issues", .meaning = "number of executions in the pipeline of all lanes", .part = vector_issues},
    {.name = "active_lanes",
     .title = "lanes",
     .meaning = "active lanes per issue",
     .text = {"lanes", "active"},
     .width = 6,
     .spare = 3,
     .form = SL_COLUMN_RATIO,
     .digits = 1,
     .part = active_lanes,
     .whole = own_issues},
    {.name = "operands",
     .title = "operands",
     .meaning = "register operands: uniform, affine, general; sorted by the share of uniform ones",
     .text = {"operands", "u/a/g %"},
     .width = 9,
     .spare = 6,
     .form = SL_COLUMN_REGULARITY,
     .needs = SL_PROFILE_REGULARITY,
     .kinds = operands},
    {.name = "results",
     .title = "results",
     .meaning = "results: uniform, affine, general; sorted by the share of uniform ones",
     .form = SL_COLUMN_REGULARITY,
     .needs = SL_PROFILE_REGULARITY,
     .kinds = results},
    {.name = "scalar_issues",
     .title = "scalar %",
     .meaning = "share of its issues that the scalar pipeline executed",
     .text = {"scalar", "%"},
     .width = 6,
     .spare = 5,
     .form = SL_COLUMN_PERCENT,
     .digits = 1,
     .needs = SL_PROFILE_SCALAR,
     .part = scalar_issues,
     .whole = own_issues},
    {.name = "retries",
     .title = "retries",
     .meaning = "attempts that must be repeated, for example because the unit was busy",
     .event = "retries",
     .needs = SL_PROFILE_RETRIES,
     .part = retries},
    {.name = "retries_held",
     .title = "retries held",
     .meaning = "retries of other instructions while this one occupied the unit that they needed",
     .needs = SL_PROFILE_HOLDERS,
     .part = held},
    {.name = "queued",
     .title = "queued",
     .meaning = "warp cycles in which its accesses waited behind others for the memory unit",
     .event = "warp cycles queued for memory",
     .needs = SL_PROFILE_QUEUED,
     .part = queued},
    {.name = "queued_held",
     .title = "queued held",
     .meaning = "warp cycles in which other accesses waited while this one occupied the memory unit",
     .needs = SL_PROFILE_QUEUED,
     .part = queued_held},
    {.name = "scalar_aborts",
     .title = "aborts",
     .meaning = "attempts that the scalar pipeline aborted",
     .event = "aborts of the scalar pipeline",
     .needs = SL_PROFILE_SCALAR,
     .part = aborts},
    {.name = "spills",
     .title = "spills",
     .meaning = "registers spilled for it",
     .event = "registers spilled",
     .needs = SL_PROFILE_SPILLS,
     .part = spills},
    {.name = "unspills",
     .title = "unspills",
     .meaning = "its operands that were read back from memory",
     .event = "read back",
     .needs = SL_PROFILE_SPILLS,
     .part = unspills},
    {.name = "memory_accesses",
     .meaning = "loads, stores and atomics it executed",
     .needs = SL_PROFILE_DRAM | SL_PROFILE_CACHE_LINES,
     .part = accesses},
    {.name = "scratchpad_requests",
     .meaning = "its requests to the scratchpad",
     .needs = SL_PROFILE_SCRATCHPAD,
     .part = scratchpad_requests},
    {.name = "scratchpad_passes",
     .meaning = "cycles that the scratchpad's banks took for its requests",
     .needs = SL_PROFILE_SCRATCHPAD,
     .part = scratchpad_passes},
    {.name = "scratchpad_least",
     .meaning = "cycles that the scratchpad's banks would have taken without a conflict",
     .needs = SL_PROFILE_SCRATCHPAD,
     .part = scratchpad_least},
    {.meaning = "share of its cycles in which it issued",
     .text = {"issue", "%"},
     .width = 6,
     .spare = 2,
     .form = SL_COLUMN_PERCENT,
     .digits = 1,
     .part = issued,
     .whole = own_cycles},
    {.meaning = "the largest stall reason other than issuing, and its share of the cycles",
     .text = {"otherwise", ""},
     .width = -14,
     .form = SL_COLUMN_OTHER_STALL_REASON},
};

const size_t sl_profile_column_count = sizeof sl_profile_columns / sizeof sl_profile_columns[0];

bool sl_profile_has(const struct sl_profile_report *report, unsigned parts)
{
  const struct sl_config *config = report->run.config;
  return parts == 0 || (config->machine->profiled(config->spec) & parts) != 0;
}

bool sl_column_has_figures(const struct sl_profile_column *column, const struct sl_profile_report *report)
{
  const bool optional = column->needs != 0 && column->part != NULL;
  if (!sl_profile_has(report, column->needs))
    return false;
  return !optional ||
         (column->whole != NULL ? column->whole(report, &report->total) : column->part(&report->total)) > 0;
}

bool sl_column_figure(const struct sl_profile_column *column, const struct sl_profile_report *report,
                      const struct sl_profile_sum *sum, double *figure)
{
  const uint64_t whole = column->whole != NULL ? column->whole(report, sum) : 1;
  const uint64_t part = column->part(sum);
  switch (column->form) {
  case SL_COLUMN_RATIO: *figure = sl_ratio(part, whole); break;
  case SL_COLUMN_PERCENT: *figure = sl_percent(part, whole); break;
  default: *figure = (double)part; break;
  }
  return whole > 0;
}
