/* simtlab diff-commits: finds the first difference between two commit traces, for example of simtlab and an RTL
 * simulation. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "device/fault_text.h"
#include "observe/commits.h"
#include "observe/terminal.h"

enum { CONTEXT = 3, MOST_LANES_SHOWN = 8 };

static const char *const side_names[2] = {"ours", "theirs"};

struct diff {
  const struct sl_list *ignore;
  uint64_t context;
  bool by_warp;
  unsigned ignored; /* set of enum sl_commit_field */
  struct sl_commit_log log[2];
  uint32_t *order[2]; /* entries in comparison order */
};

/* The first place where the traces differ. */
struct difference {
  bool found;
  size_t at[2];     /* in order[] */
  size_t bounds[4]; /* instructions shown with it: first and last of ours, then of theirs */
  bool ended[2];    /* this trace has no instruction there */
  unsigned fields;  /* fields that differ */
};

static const struct sl_commit_entry *entry_at(const struct diff *diff, unsigned side, size_t at)
{
  return &diff->log[side].entries[diff->order[side][at]];
}

/* ---- the order of comparison ------------------------------------------------------------------------------------- */

/* The instructions compared with each other: all, or those of one warp in one launch. */
static uint64_t group_of(const struct diff *diff, const struct sl_commit_entry *entry)
{
  if (!diff->by_warp)
    return 0;
  const uint64_t launch = diff->ignored >> SL_COMMIT_LAUNCH & 1 ? 0 : entry->launch;
  return launch << 32 | entry->warp;
}

/* A group of one trace, as a range of order[]. */
struct group {
  uint64_t key;
  size_t from, to;
};

struct sort_item {
  uint64_t group;
  uint32_t index;
};

static int compare_items(const void *a, const void *b)
{
  const struct sort_item *x = a, *y = b;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Sorts by group; each group keeps trace order. */
static enum sl_status make_order(struct diff *diff, unsigned side, struct sl_error *err)
{
  const struct sl_commit_log *log = &diff->log[side];
  struct sort_item *items = calloc(log->count, sizeof *items);
  diff->order[side] = calloc(log->count, sizeof *diff->order[side]);
  if (items == NULL || diff->order[side] == NULL) {
    free(items);
    return sl_no_memory(err, log->count * sizeof *items);
  }
  for (size_t i = 0; i < log->count; i++)
    items[i] = (struct sort_item){group_of(diff, &log->entries[i]), (uint32_t)i};
  if (diff->by_warp)
    qsort(items, log->count, sizeof *items, compare_items);
  for (size_t i = 0; i < log->count; i++)
    diff->order[side][i] = items[i].index;
  free(items);
  return SL_OK;
}

/* The group that starts at an index of order[]; past the end, a group greater than all others. */
static struct group group_at(const struct diff *diff, unsigned side, size_t from)
{
  const size_t count = diff->log[side].count;
  struct group group = {UINT64_MAX, from, from};
  if (from < count)
    group.key = group_of(diff, entry_at(diff, side, from));
  while (group.to < count && group_of(diff, entry_at(diff, side, group.to)) == group.key)
    group.to++;
  return group;
}

/* ---- comparison -------------------------------------------------------------------------------------------------- */

static bool same_text(const struct diff *diff, const struct sl_commit_entry *a, const struct sl_commit_entry *b)
{
  return a->length == b->length && a->launch == b->launch &&
         memcmp(diff->log[0].text + a->offset, diff->log[1].text + b->offset, a->length) == 0;
}

static unsigned fields_that_differ(const struct diff *diff, size_t ours, size_t theirs)
{
  struct sl_commit_line a, b;
  if (same_text(diff, entry_at(diff, 0, ours), entry_at(diff, 1, theirs)))
    return 0;
  sl_commit_log_line(&diff->log[0], diff->order[0][ours], &a);
  sl_commit_log_line(&diff->log[1], diff->order[1][theirs], &b);
  return sl_commit_differences(&a, &b) & ~diff->ignored;
}

static struct difference compare_groups(const struct diff *diff, const struct group *a, const struct group *b)
{
  struct difference found = {.bounds = {a->from, a->to, b->from, b->to}};
  size_t i = a->from, j = b->from;
  while (i < a->to && j < b->to && (found.fields = fields_that_differ(diff, i, j)) == 0) {
    i++;
    j++;
  }
  found.at[0] = i;
  found.at[1] = j;
  found.ended[0] = i == a->to;
  found.ended[1] = j == b->to;
  found.found = !found.ended[0] || !found.ended[1];
  return found;
}

/* Which of two differences comes first in our trace or, after its end, in theirs. */
static bool comes_first(const struct diff *diff, const struct difference *a, const struct difference *b)
{
  if (!a->found || !b->found || a->ended[0] != b->ended[0])
    return a->found && (!b->found || !a->ended[0]);
  const unsigned side = a->ended[0];
  return diff->order[side][a->at[side]] < diff->order[side][b->at[side]];
}

/* Compares group by group; a group that one trace lacks is empty there. */
static struct difference find_first(const struct diff *diff)
{
  struct difference first = {0};
  size_t next[2] = {0, 0};
  while (next[0] < diff->log[0].count || next[1] < diff->log[1].count) {
    struct group a = group_at(diff, 0, next[0]), b = group_at(diff, 1, next[1]);
    if (a.key < b.key)
      b.to = b.from;
    else if (b.key < a.key)
      a.to = a.from;
    const struct difference here = compare_groups(diff, &a, &b);
    if (comes_first(diff, &here, &first))
      first = here;
    next[0] = a.to;
    next[1] = b.to;
  }
  return first;
}

/* ---- the report -------------------------------------------------------------------------------------------------- */

static void print_values(const struct sl_commit_line *a, const struct sl_commit_line *b)
{
  const sl_lanes differ = sl_commit_lanes_that_differ(a, b);
  char lanes[256];
  sl_lanes_format(differ, lanes, sizeof lanes);
  sl_print(stdout, "  values of %.*s differ in lane%s %s\n", (int)a->reg.length, a->reg.text,
           sl_count(differ) == 1 ? "" : "s", lanes);
  unsigned shown = 0;
  for (sl_lanes rest = differ; rest && shown < MOST_LANES_SHOWN; rest &= rest - 1, shown++) {
    const unsigned lane = sl_lowest(rest);
    printf("    lane %-3u     ours %08" PRIx32 "   theirs %08" PRIx32 "\n", lane, a->value[lane], b->value[lane]);
  }
  if (sl_count(differ) > shown)
    printf("    and %u more lanes\n", sl_count(differ) - shown);
}

static void print_words(const char *name, struct sl_commit_word a, struct sl_commit_word b)
{
  sl_print(stdout, "  %-13s ours %.*s   theirs %.*s\n", name, a.text ? (int)a.length : 4, a.text ? a.text : "none",
           b.text ? (int)b.length : 4, b.text ? b.text : "none");
}

static void print_counts(const char *name, uint64_t a, uint64_t b)
{
  sl_print(stdout, "  %-13s ours %" PRIu64 "   theirs %" PRIu64 "\n", name, a, b);
}

static void print_hex(const char *name, uint64_t a, uint64_t b)
{
  sl_print(stdout, "  %-13s ours %08" PRIx64 "   theirs %08" PRIx64 "\n", name, a, b);
}

static void print_field(enum sl_commit_field field, const struct sl_commit_line *a, const struct sl_commit_line *b)
{
  const char *name = sl_commit_field_names[field];
  switch (field) {
  case SL_COMMIT_LAUNCH: print_counts(name, a->launch, b->launch); break;
  case SL_COMMIT_CYCLE: print_counts(name, a->cycle, b->cycle); break;
  case SL_COMMIT_WARP: print_counts(name, a->warp, b->warp); break;
  case SL_COMMIT_MASK: print_hex(name, a->mask, b->mask); break;
  case SL_COMMIT_PC: print_hex(name, a->pc, b->pc); break;
  case SL_COMMIT_INSTRUCTION: print_words(name, a->instruction, b->instruction); break;
  case SL_COMMIT_REGISTER: print_words(name, a->reg, b->reg); break;
  case SL_COMMIT_VALUES: print_values(a, b); break;
  case SL_COMMIT_FIELDS: break;
  }
}

/* Lines around the difference. Long lines are cut, because the differing values are listed anyway. */
static void print_context(const struct diff *diff, const struct difference *d, unsigned side)
{
  const size_t at = d->at[side], from = d->bounds[2 * side], to = d->bounds[2 * side + 1];
  const size_t first = at - from > diff->context ? at - (size_t)diff->context : from;
  const size_t room = sl_terminal_of(stdout).columns - (sizeof "> 1234567  " - 1);
  sl_print_lines(stdout, 2, "%s, %s:", side_names[side], diff->log[side].name);
  for (size_t i = first; i < to && i - first <= at - first + diff->context; i++) {
    const struct sl_commit_entry *entry = entry_at(diff, side, i);
    const bool cut = entry->length > room;
    sl_print(stdout, "%s %7" PRIu32 "  %.*s%s\n", i == at ? ">" : " ", entry->line,
             (int)(cut ? room - 3 : entry->length), diff->log[side].text + entry->offset, cut ? "..." : "");
  }
  if (d->ended[side])
    printf(">          (ends here)\n");
}

/* Prints the place and the fields of the difference. */
static void print_place(const struct diff *diff, const struct difference *d)
{
  const unsigned side = d->ended[0];
  const struct sl_commit_entry *entry = entry_at(diff, side, d->at[side]);
  const size_t before = d->at[side] - d->bounds[2 * side];
  struct sl_list_line line;
  sl_list_begin(&line, stdout, 2,
                "first difference: launch %" PRIu32 ", warp %" PRIu32 ", after %zu equal instruction%s%s:",
                entry->launch, entry->warp, before, before == 1 ? "" : "s", diff->by_warp ? " of this warp" : "");
  if (d->ended[0] || d->ended[1])
    sl_list_item(&line, "%s ends early", side_names[d->ended[1]]);
  else
    for (unsigned f = 0; f < SL_COMMIT_FIELDS; f++)
      if (d->fields >> f & 1)
        sl_list_item(&line, "%s", sl_commit_field_names[f]);
  sl_list_end(&line);
}

static void print_difference(const struct diff *diff, const struct difference *d)
{
  print_place(diff, d);
  if (!d->ended[0] && !d->ended[1]) {
    struct sl_commit_line a, b;
    sl_commit_log_line(&diff->log[0], diff->order[0][d->at[0]], &a);
    sl_commit_log_line(&diff->log[1], diff->order[1][d->at[1]], &b);
    for (unsigned f = 0; f < SL_COMMIT_FIELDS; f++)
      if (d->fields >> f & 1)
        print_field((enum sl_commit_field)f, &a, &b);
  }
  print_context(diff, d, 0);
  print_context(diff, d, 1);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static enum sl_status read_ignored(struct diff *diff, struct sl_error *err)
{
  for (size_t i = 0; i < diff->ignore->count; i++) {
    const char *name = diff->ignore->items[i];
    unsigned f = 0;
    while (f < SL_COMMIT_FIELDS && strcmp(sl_commit_field_names[f], name) != 0)
      f++;
    if (f == SL_COMMIT_FIELDS)
      return sl_unknown(err, "field", name, sl_commit_field_names, SL_COMMIT_FIELDS);
    diff->ignored |= 1u << f;
  }
  return SL_OK;
}

static enum sl_status compare(struct diff *diff, char *const *paths, struct sl_error *err)
{
  enum sl_status code = read_ignored(diff, err);
  for (unsigned side = 0; side < 2 && code == SL_OK; side++) {
    code = sl_commit_log_read(&diff->log[side], paths[side], err);
    if (code == SL_OK)
      code = make_order(diff, side, err);
  }
  if (code != SL_OK)
    return code;
  const struct difference first = find_first(diff);
  if (!first.found) {
    printf("equal: %zu instructions\n", diff->log[0].count);
    return SL_OK;
  }
  print_difference(diff, &first);
  return SL_CHECK_FAILED;
}

static enum sl_status diff_commits_command(const struct sl_command *command, int argc, char **argv,
                                           struct sl_error *err)
{
  struct sl_list ignore = {.count = 0};
  struct diff diff = {.ignore = &ignore, .context = CONTEXT};
  const struct sl_option options[] = {
      {'c', "context", SL_OPTION_NUMBER, "N", "lines before and after the difference [3]", &diff.context},
      {'i', "ignore", SL_OPTION_LIST, "FIELD", "do not compare a field; may be given several times", &ignore},
      {'w', "by-warp", SL_OPTION_FLAG, NULL, "compare each warp's instructions, in any interleaving of warps",
       &diff.by_warp},
      {0},
  };
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count != 2)
    return sl_fail(err, SL_USAGE,
                   "two traces are needed: simtlab diff-commits OURS THEIRS; run --trace-commits makes "
                   "one");
  code = compare(&diff, operands.items, err);
  for (unsigned side = 0; side < 2; side++) {
    free(diff.order[side]);
    sl_commit_log_free(&diff.log[side]);
  }
  return code;
}

const struct sl_command sl_diff_commits_command = {
    .name = "diff-commits",
    .operands = "[OPTION]... OURS THEIRS",
    .summary = "Find the first difference between two commit traces",
    .details = "OURS is a trace of simtlab run --trace-commits, THEIRS another one or an RTL log in that format.\n"
               "Fields: launch, cycle, warp, mask, pc, instruction, register, values.\n"
               "Exit status: 0 equal, 1 different, 2 not comparable.\n",
    .run = diff_commits_command,
};
