#include "observe/commits.h"

#include <inttypes.h>
#include <string.h>

enum { LONGEST_LINE = 256 + SL_MAX_LANES * 9 };

static bool read_window(struct sl_commit_choice *choice, const char *text)
{
  choice->from = 0;
  choice->to = UINT64_MAX;
  if (*text != ':' && !sl_take_digits(&text, &choice->from))
    return false;
  if (*text++ != ':')
    return false;
  return (*text == '\0' || sl_take_digits(&text, &choice->to)) && *text == '\0' && choice->from <= choice->to;
}

static bool read_warps(struct sl_commit_choice *choice, const char *text)
{
  memset(choice->warp, 0, sizeof choice->warp);
  do {
    uint64_t first, last;
    if (!sl_take_digits(&text, &first))
      return false;
    last = first;
    if (*text == '-' && (text++, !sl_take_digits(&text, &last)))
      return false;
    if (first > last || last >= SL_COMMIT_WARPS)
      return false;
    for (uint64_t warp = first; warp <= last; warp++)
      choice->warp[warp / 64] |= UINT64_C(1) << (warp % 64);
  } while (*text++ == ',');
  return text[-1] == '\0';
}

enum sl_status sl_commit_choose(struct sl_commit_choice *choice, const char *window, const char *warps,
                                struct sl_error *err)
{
  *choice = (struct sl_commit_choice){.window = window, .warps = warps, .to = UINT64_MAX};
  memset(choice->warp, 0xff, sizeof choice->warp);
  if (window != NULL && !read_window(choice, window))
    return sl_fail(err, SL_USAGE,
                   "a window of cycles is FROM:TO, counted from the launch, such as 1000:2000, not '%.80s'", window);
  if (warps != NULL && !read_warps(choice, warps))
    return sl_fail(err, SL_USAGE, "warps are numbers and ranges below %d, such as 0,3,8-11, not '%.80s'",
                   SL_COMMIT_WARPS, warps);
  return SL_OK;
}

static bool is_chosen(const struct sl_commit_choice *choice, const struct sl_probe *commit)
{
  return commit->cycle >= choice->from && commit->cycle <= choice->to &&
         (commit->warp >= SL_COMMIT_WARPS || (choice->warp[commit->warp / 64] >> (commit->warp % 64) & 1) != 0);
}

void sl_commits_begin(struct sl_commits *commits, struct sl_trace_file *file, const struct sl_commit_choice *choice,
                      const char *origin)
{
  *commits = (struct sl_commits){.file = file, .choice = *choice};
  sl_trace_file_print(file, "# simtlab commits 2: cycle warp mask pc instruction [register=values]\n");
  if (origin != NULL) {
    sl_trace_file_print(file, "# made by ");
    sl_trace_file_write(file, origin, strlen(origin));
    sl_trace_file_print(file, "\n");
  }
  if (choice->window != NULL)
    sl_trace_file_print(file, "# only cycles %s\n", choice->window);
  if (choice->warps != NULL)
    sl_trace_file_print(file, "# only warps %s\n", choice->warps);
}

void sl_commits_end(struct sl_commits *commits)
{
  sl_trace_file_print(commits->file, "# end: %" PRIu64 " instructions\n", commits->count);
}

static char *put_hex(char *out, uint64_t value, unsigned digits)
{
  for (unsigned i = digits; i-- > 0;)
    *out++ = "0123456789abcdef"[(value >> (4 * i)) & 15];
  return out;
}

static char *put_decimal(char *out, uint64_t value)
{
  char digits[20];
  size_t n = 0;
  do
    digits[n++] = (char)('0' + value % 10);
  while ((value /= 10) != 0);
  while (n > 0)
    *out++ = digits[--n];
  return out;
}

static char *put_text(char *out, const char *text)
{
  for (; *text != '\0'; text++)
    *out++ = *text == '\t' ? ' ' : *text;
  return out;
}

static char *put_values(char *out, const struct sl_probe *commit)
{
  *out++ = ' ';
  out = put_text(out, sl_register_name(commit->insn, commit->insn->rd));
  char separator = '=';
  for (sl_lanes lanes = commit->active; lanes != 0; lanes &= lanes - 1) {
    *out++ = separator;
    out = put_hex(out, commit->values[sl_lowest(lanes)], 8);
    separator = ',';
  }
  return out;
}

/* Traces have millions of lines, so fields are not formatted with printf. */
bool sl_commits_write(void *context, const struct sl_probe *commit)
{
  struct sl_commits *commits = context;
  char line[LONGEST_LINE], text[128];
  if (!is_chosen(&commits->choice, commit))
    return true;
  if (!commits->begun || commits->launch != commit->launch)
    sl_trace_file_print(commits->file, "launch %u\n", commit->launch);
  commits->begun = true;
  commits->count++;
  commits->launch = commit->launch;
  char *out = put_decimal(line, commit->cycle);
  *out++ = ' ';
  out = put_decimal(out, commit->warp);
  *out++ = ' ';
  out = put_hex(out, commit->active, (commit->lanes + 3) / 4);
  *out++ = ' ';
  out = put_hex(out, commit->pc, 8);
  *out++ = ' ';
  sl_disassemble(commit->insn, (uint32_t)commit->pc, text, sizeof text);
  out = put_text(out, text);
  if (commit->values != NULL)
    out = put_values(out, commit);
  *out++ = '\n';
  sl_trace_file_write(commits->file, line, (size_t)(out - line));
  return true;
}
