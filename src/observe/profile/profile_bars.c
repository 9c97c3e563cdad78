#include "observe/profile/profile_bars.h"

#include "observe/table.h"

/* A piece of a bar: name, amount and colour. */
struct piece {
  uint64_t value;
  const char *name;
  char palette;
  unsigned colour;
};

static void put_numbers(const struct piece *pieces, size_t count, uint64_t sum, enum sl_bar_numbers numbers, FILE *file)
{
  const char *separator = " ";
  if (numbers == SL_BAR_FIRST && sum > 0)
    fprintf(file, "<span class=\"part\">%.0f %%</span>", sl_percent(pieces[0].value, sum));
  for (size_t i = 0; i < count && numbers == SL_BAR_ALL; i++)
    if (pieces[i].value > 0) {
      fprintf(file, "%s%s %.1f&nbsp;%%", separator, pieces[i].name, sl_percent(pieces[i].value, sum));
      separator = ", ";
    }
}

static void bar(const struct piece *pieces, size_t count, enum sl_bar_numbers numbers, FILE *file)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += pieces[i].value;
  fprintf(file, "<span class=\"bar\" title=\"");
  const char *separator = "";
  for (size_t i = 0; i < count; i++)
    if (pieces[i].value > 0) {
      char text[32];
      fprintf(file, "%s%s %.1f %% (%s)", separator, pieces[i].name, sl_percent(pieces[i].value, sum),
              sl_grouped(pieces[i].value, text));
      separator = ", ";
    }
  fprintf(file, "%s\">", sum == 0 ? "none" : "");
  for (size_t i = 0; i < count; i++)
    if (pieces[i].value > 0)
      fprintf(file, "<i class=\"%c%u\" style=\"width:%.2f%%\"></i>", pieces[i].palette, pieces[i].colour,
              sl_percent(pieces[i].value, sum));
  fprintf(file, "</span>");
  put_numbers(pieces, count, sum, numbers, file);
}

void sl_profile_stall_reasons_bar(const struct sl_profile_report *report, const struct sl_profile_row *row,
                                  enum sl_bar_numbers numbers, FILE *file)
{
  const struct sl_stall_reasons *causes = sl_profile_stall_reasons(report);
  struct piece pieces[SL_MAX_STALL_REASONS];
  for (size_t i = 0; i < causes->count; i++)
    pieces[i] = (struct piece){row->cycles[i], causes->cause[i].name, 'k', causes->cause[i].kind};
  bar(pieces, causes->count, numbers, file);
}

void sl_profile_regularity_bar(const uint64_t counts[SL_REGULARITY_COUNT], enum sl_bar_numbers numbers, FILE *file)
{
  struct piece pieces[SL_REGULARITY_COUNT];
  for (unsigned i = 0; i < SL_REGULARITY_COUNT; i++)
    pieces[i] = (struct piece){counts[i], sl_regularity_names[i], 'r', i};
  bar(pieces, SL_REGULARITY_COUNT, numbers, file);
}
