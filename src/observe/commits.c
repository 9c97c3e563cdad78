#include "observe/commits.h"

#include <inttypes.h>
#include <stdio.h>

enum { LONGEST_LINE = 256 + SL_MAX_LANES * 9 };

void sl_commits_begin(struct sl_commits *commits, struct sl_output *output)
{
  *commits = (struct sl_commits){.output = output};
  sl_output_print(output, "# simtlab commits 1: cycle warp mask pc instruction [register=values]\n");
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

/* Traces have millions of lines, hence no printf per field. */
bool sl_commits_write(void *context, const struct sl_probe *commit)
{
  struct sl_commits *commits = context;
  char line[LONGEST_LINE], text[128];
  if (!commits->begun || commits->launch != commit->launch)
    sl_output_print(commits->output, "launch %u\n", commit->launch);
  commits->begun = true;
  commits->launch = commit->launch;
  char *out = put_decimal(line, commit->cycle);
  *out++ = ' ';
  out = put_decimal(out, commit->warp);
  *out++ = ' ';
  out = put_hex(out, commit->active, (commit->lanes + 3) / 4);
  *out++ = ' ';
  out = put_hex(out, commit->pc, 8);
  *out++ = ' ';
  sl_disassemble(commit->insn, commit->pc, text, sizeof text);
  out = put_text(out, text);
  if (commit->values != NULL)
    out = put_values(out, commit);
  *out++ = '\n';
  sl_output_write(commits->output, line, (size_t)(out - line));
  return true;
}
