#include "observe/profile/profile.h"

#include "observe/json.h"
#include "observe/report.h"

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

/* The profile as JSON. */

static json_t *causes_json(const struct sl_profile_report *report, const struct sl_profile_row *row)
{
  const struct sl_stall_reasons *causes = sl_profile_stall_reasons(report);
  json_t *json = json_object();
  for (size_t i = 0; i < causes->count; i++)
    sl_json_put(&json, causes->cause[i].name, sl_json_count(row->cycles[i]));
  return json;
}

static json_t *kinds_json(const uint64_t counts[SL_REGULARITY_COUNT])
{
  json_t *json = json_object();
  for (size_t i = 0; i < SL_REGULARITY_COUNT; i++)
    sl_json_put(&json, sl_regularity_names[i], sl_json_count(counts[i]));
  return json;
}

/* Adds the counts of a sum to an object. */
static void put_sum(json_t **json, const struct sl_profile_report *report, const struct sl_profile_sum *sum)
{
  for (size_t i = 0; i < sl_profile_column_count; i++) {
    const struct sl_profile_column *column = &sl_profile_columns[i];
    if (column->name == NULL || !sl_profile_has(report, column->needs))
      continue;
    sl_json_put(json, column->name,
                column->form == SL_COLUMN_STALL_REASONS ? causes_json(report, &sum->row)
                : column->form == SL_COLUMN_REGULARITY  ? kinds_json(column->kinds(sum))
                                                        : sl_json_count(column->part(sum)));
  }
}

static void put_place(json_t **json, const struct sl_location *at)
{
  SL_JSON_ADD(json, {"function", sl_json_text(at->function)}, {"file", sl_json_text(at->file)},
              {"line", at->file != NULL ? json_integer(at->line) : json_null()});
}

static json_t *lines_json(const struct sl_profile_report *report)
{
  json_t *lines = json_array();
  for (size_t i = 0; i < report->line_count && lines != NULL; i++) {
    json_t *line = json_object(), *pcs = json_array();
    for (size_t k = 0; k < report->hottest[i]->count && pcs != NULL; k++)
      sl_json_append(&pcs, sl_json_hex(report->hottest[i]->by_address[k]->pc, 8));
    put_place(&line, &report->hottest[i]->at);
    sl_json_put(&line, "instructions", pcs);
    put_sum(&line, report, &report->hottest[i]->sum);
    sl_json_append(&lines, line);
  }
  return lines;
}

static json_t *insns_json(const struct sl_profile_report *report)
{
  json_t *insns = json_array();
  for (size_t i = 0; i < report->insn_count && insns != NULL; i++) {
    char text[SL_INSN_TEXT];
    const struct sl_profile_insn *insn = &report->insns[i];
    json_t *json = json_object();
    sl_json_put(&json, "pc", sl_json_hex(insn->pc, 8));
    put_place(&json, &insn->at);
    sl_json_put(&json, "disassembly", json_string(sl_profile_insn_text(insn, text)));
    put_sum(&json, report, &insn->sum);
    sl_json_append(&insns, json);
  }
  return insns;
}

static json_t *totals_json(const struct sl_profile_report *report)
{
  json_t *totals =
      SL_JSON({"launches", sl_json_count(report->launch_count)},
              {"kernel_cycles", sl_json_count(report->figures.cycles)}, {"ipc", json_real(report->figures.ipc)});
  put_sum(&totals, report, &report->total);
  return totals;
}

static json_t *launches_json(const struct sl_profile_report *report)
{
  const struct sl_profile_run *run = &report->run;
  json_t *launches = json_array();
  for (size_t i = 0; i < report->launch_count && launches != NULL; i++) {
    const struct sl_launch *launch = &report->launches[i];
    const struct sl_figures figures = sl_figures_of(run->config->machine, launch, 1);
    char name[SL_KERNEL_TEXT];
    json_t *json =
        SL_JSON({"launch", sl_json_count(launch->number)},
                {"kernel", sl_json_text(sl_kernel_name(run->program, launch->entry, name))},
                {"cycles", sl_json_count(figures.cycles)}, {"warp_instrs", sl_json_known(figures.warp_instructions)},
                {"thread_instrs", sl_json_count(figures.thread_instructions)});
    sl_json_append(&launches, json);
  }
  return launches;
}

json_t *sl_profile_json(const struct sl_profile_report *report)
{
  const struct sl_profile_run *run = &report->run;
  const enum sl_status code = run->error->code;
  json_t *json = SL_JSON({"schema", json_integer(1)}, {"simtlab", json_string(run->version)},
                         {"machine", sl_config_json(run->config)}, {"program", sl_program_json(run->program)},
                         {"outcome", json_string(sl_outcome(code, run->result->status))});
  if (code != SL_OK)
    sl_json_put(&json, "message", sl_json_text(run->error->text));
  SL_JSON_ADD(&json, {"status", code == SL_OK ? json_integer(run->result->status) : json_null()},
              {"totals", totals_json(report)}, {"launches", launches_json(report)},
              {"advice", sl_profile_advice_json(report)}, {"roofline", sl_roofline_json(report)});
  if (run->occupancies != NULL)
    sl_json_put(&json, "occupancy", sl_occupancy_json(run->occupancies, run->program));
  if (run->residency != NULL)
    sl_json_put(&json, "vector_registers_over_time", sl_series_json(run->residency));
  sl_json_put(&json, "lines", lines_json(report));
  sl_json_put(&json, "instructions", insns_json(report));
  return json;
}
