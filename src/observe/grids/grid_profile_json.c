/* The profile of grids as JSON. */
#include "observe/grids/grid_profile.h"
#include "observe/json.h"
#include "observe/report.h"

static void put_slots(json_t **json, const struct sl_grid_profile *p, const struct sl_grid_row *row)
{
  const struct sl_stall_reasons *causes = sl_gpu_config(p->run->gpu)->machine->causes;
  json_t *slots = json_object();
  for (size_t i = 0; i < causes->count; i++)
    sl_json_put(&slots, causes->cause[i].name, sl_json_count(row->slots.cause[i]));
  sl_json_put(json, "thread_instrs", sl_json_count(row->slots.thread_instructions));
  sl_json_put(json, "slots", slots);
}

static void put_place(json_t **json, const struct sl_grid_row *row)
{
  sl_json_put(json, "function", sl_json_text(row->function));
  sl_json_put(json, "file", sl_json_text(row->file));
  sl_json_put(json, "line", sl_json_count(row->line));
}

static json_t *lines_json(const struct sl_grid_profile *p)
{
  json_t *lines = json_array();
  for (size_t i = 0; i < p->line_count; i++) {
    json_t *line = json_object(), *pcs = json_array();
    for (size_t k = 0; k < p->lines[i].count; k++)
      sl_json_append(&pcs, sl_json_count(p->lines[i].row[k].pc));
    put_place(&line, &p->lines[i].sum);
    sl_json_put(&line, "instructions", pcs);
    put_slots(&line, p, &p->lines[i].sum);
    sl_json_append(&lines, line);
  }
  return lines;
}

static json_t *instructions_json(const struct sl_grid_profile *p)
{
  json_t *instructions = json_array();
  for (size_t i = 0; i < p->row_count; i++) {
    char text[SL_GRID_TEXT];
    json_t *json = json_object();
    sl_json_put(&json, "pc", sl_json_count(p->rows[i].pc));
    put_place(&json, &p->rows[i]);
    sl_json_put(&json, "ptx_line", sl_json_count(p->module->code[p->rows[i].pc].line));
    sl_json_put(&json, "disassembly", sl_json_text(sl_grid_row_text(p, p->rows[i].pc, text)));
    put_slots(&json, p, &p->rows[i]);
    sl_json_append(&instructions, json);
  }
  return instructions;
}

json_t *sl_grid_profile_json(const struct sl_grid_profile *p)
{
  json_t *json = sl_grid_report_json(p->run), *nowhere = json_object(), *total = json_object();
  put_slots(&nowhere, p, &p->nowhere);
  put_slots(&total, p, &p->total);
  sl_json_put(&json, "total", total);
  sl_json_put(&json, "no_instruction", nowhere);
  sl_json_put(&json, "lines", lines_json(p));
  sl_json_put(&json, "instructions", instructions_json(p));
  return json;
}
