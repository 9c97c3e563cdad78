/* The profile as JSON. */
#include "observe/json.h"
#include "observe/profile/profile.h"
#include "observe/report.h"

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
