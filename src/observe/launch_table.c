#include "observe/launch_table.h"

#include "observe/launch_choice.h"
#include "observe/table.h"

/* Of many launches the table shows only the first ones and the total. */
enum { MOST_ROWS = 12 };

static struct sl_launch_column number(const char *title, struct sl_known value)
{
  struct sl_launch_column column = {.title = title, .known = value.known};
  sl_grouped(value.value, column.text);
  return column;
}

void sl_launch_columns(const struct sl_figures *figures, struct sl_launch_column columns[SL_LAUNCH_COLUMNS])
{
  const bool timed = figures->cycles > 0;
  columns[0] = number(">cycles", (struct sl_known){figures->cycles, timed});
  columns[1] = number(">warp instrs", figures->warp_instructions);
  columns[2] = number(">thread instrs", (struct sl_known){figures->thread_instructions, true});
  columns[3] = (struct sl_launch_column){.title = ">IPC", .known = timed};
  snprintf(columns[3].text, sizeof columns[3].text, "%.2f", figures->ipc);
  columns[4] = number(">DRAM beats", figures->dram_beats);
  columns[5] = number(">DRAM lines", figures->dram_lines);
  columns[6] = number(">retries", figures->retries);
  for (size_t i = 4; i < SL_LAUNCH_COLUMNS; i++)
    columns[i].known &= timed;
}

SL_HOLDS(SL_TABLE_COLUMNS, SL_LAUNCH_COLUMNS + 2, "columns of launches, behind their number and kernel");

static void begin_table(struct sl_table *table, const struct sl_figures *figures)
{
  const char *titles[SL_LAUNCH_COLUMNS + 3] = {">launch", "kernel"};
  struct sl_launch_column columns[SL_LAUNCH_COLUMNS];
  size_t n = 2;
  sl_launch_columns(figures, columns);
  for (size_t i = 0; i < SL_LAUNCH_COLUMNS; i++)
    if (columns[i].known)
      titles[n++] = columns[i].title;
  sl_table_init(table, titles);
}

static void add_row(struct sl_table *table, const char *launch, const char *function, const struct sl_figures *figures)
{
  struct sl_launch_column columns[SL_LAUNCH_COLUMNS];
  sl_launch_columns(figures, columns);
  sl_table_cell(table, "%s", launch);
  sl_table_cell(table, "%s", function);
  for (size_t i = 0; i < SL_LAUNCH_COLUMNS; i++)
    if (columns[i].known)
      sl_table_cell(table, "%s", columns[i].text);
}

void sl_launches_print(const struct sl_machine *machine, const struct sl_program *program,
                       const struct sl_launch *launches, size_t count, FILE *file)
{
  const struct sl_figures total = sl_figures_of(machine, launches, count);
  struct sl_table table;
  begin_table(&table, &total);
  for (size_t i = 0; i < count && i < MOST_ROWS; i++) {
    const struct sl_figures figures = sl_figures_of(machine, &launches[i], 1);
    char number[24], entry[SL_KERNEL_TEXT];
    snprintf(number, sizeof number, "%zu", launches[i].number);
    add_row(&table, number, sl_kernel_name(program, launches[i].entry, entry), &figures);
  }
  char shown[48];
  if (count > MOST_ROWS)
    snprintf(shown, sizeof shown, "all %zu launches", count);
  else
    snprintf(shown, sizeof shown, "%s", "");
  add_row(&table, "total", shown, &total);
  sl_table_print(&table, file);
  sl_table_free(&table);
}
