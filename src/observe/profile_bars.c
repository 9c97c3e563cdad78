#include "observe/profile_bars.h"

#include "observe/table.h"

static void bar(const uint64_t *values, const char *const *names, size_t count, char palette, FILE *file)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += values[i];
  fprintf(file, "<span class=\"bar\" title=\"");
  const char *separator = "";
  for (size_t i = 0; i < count; i++)
    if (values[i] > 0) {
      char text[32];
      fprintf(file, "%s%s %.1f %% (%s)", separator, names[i], sl_percent(values[i], sum), sl_grouped(values[i], text));
      separator = ", ";
    }
  fprintf(file, "%s\">", sum == 0 ? "none" : "");
  for (size_t i = 0; i < count; i++)
    if (values[i] > 0)
      fprintf(file, "<i class=\"%c%zu\" style=\"width:%.2f%%\"></i>", palette, i, sl_percent(values[i], sum));
  fprintf(file, "</span>");
}

void sl_profile_causes_bar(const struct sl_profile_row *row, FILE *file)
{
  bar(row->cycles, sl_cause_names, SL_CAUSE_COUNT, 'k', file);
}

void sl_profile_regularity_bar(const uint64_t counts[SL_REGULARITY_COUNT], FILE *file)
{
  bar(counts, sl_regularity_names, SL_REGULARITY_COUNT, 'r', file);
}
