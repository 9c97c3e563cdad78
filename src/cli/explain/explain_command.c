/* simtlab explain: explains a word of simtlab's vocabulary. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/explain/terms.h"
#include "cli/options.h"
#include "observe/terminal.h"
#include "observe/wrapped_text.h"

enum { LISTED = 512, NAME = 80 }; /* number and width of a kind's names; longer ones appear twice */

/* Searches for a word, or lists all terms. */
struct search {
  const char *word;
  size_t found;
  struct sl_nearest nearest;
  char meant[NAME]; /* copy of the nearest name, because the original may not last */
};

static void print_machines(unsigned machines)
{
  struct sl_list_line line;
  sl_list_begin(&line, stdout, 11, "  on:     ");
  for (unsigned m = 0; sl_machines[m] != NULL; m++)
    if (machines >> m & 1)
      sl_list_item(&line, "%s", sl_machines[m]->name);
  sl_list_end(&line);
}

static void print_names(const struct sl_term *term)
{
  struct sl_list_line line = {0};
  for (size_t i = 1; i < SL_TERM_NAMES && term->name[i] != NULL; i++) {
    if (strcmp(term->name[i], term->name[0]) == 0)
      continue;
    if (line.items == 0)
      sl_list_begin(&line, stdout, 11, "  also:   ");
    sl_list_item(&line, "%s", term->name[i]);
  }
  if (line.items > 0)
    sl_list_end(&line);
}

static void print_term(const struct sl_term *term)
{
  sl_print(stdout, "%s: a %s\n", term->name[0], sl_term_singulars[term->kind]);
  sl_print_lines(stdout, 2, "  %s", term->meaning);
  print_names(term);
  if (term->elsewhere != NULL)
    sl_print_lines(stdout, 11, "  also:   %s", term->elsewhere);
  if (term->page != NULL)
    printf("  page:    %s\n", term->page);
  if (term->machines != 0)
    print_machines(term->machines);
  if (term->unit != NULL && term->unit[0] != '\0')
    sl_print(stdout, "  unit:    %s\n", term->unit);
  if (term->key != NULL) {
    char range[160], fallback[64];
    sl_key_range(term->key, range, sizeof range);
    sl_key_format(term->key, term->key->fallback, fallback, sizeof fallback);
    sl_print_lines(stdout, 11, "  range:   %s; default %s", range, fallback);
  }
  if (term->source != NULL)
    sl_print_lines(stdout, 11, "  source:  %s", term->source);
}

static void look(void *context, const struct sl_term *term)
{
  struct search *search = context;
  if (sl_term_is(term, search->word)) {
    if (search->found++ > 0)
      printf("\n");
    print_term(term);
  }
  for (size_t i = 0; i < SL_TERM_NAMES && term->name[i] != NULL; i++) {
    const char *before = search->nearest.name;
    sl_nearest_offer(&search->nearest, term->name[i]);
    if (search->nearest.name != before) {
      snprintf(search->meant, sizeof search->meant, "%s", term->name[i]);
      search->nearest.name = search->meant;
    }
  }
}

static enum sl_status explain(const char *word, struct sl_error *err)
{
  struct search search = {.word = word};
  sl_nearest_begin(&search.nearest, word);
  sl_terms_visit(look, &search);
  if (search.found > 0)
    return SL_OK;
  if (search.nearest.name != NULL)
    return sl_fail(err, SL_USAGE, "no term is called '%.80s'; did you mean '%s'?", word, search.nearest.name);
  return sl_fail(err, SL_USAGE, "no term is called '%.80s'; simtlab explain lists all terms", word);
}

/* Lists all terms by kind, each name once. */
struct listing {
  int kind; /* the list that is being printed; -1: none */
  struct sl_list_line line;
  char names[LISTED][NAME]; /* number of names in it */
  size_t count;
};

static bool is_listed(const struct listing *listing, const char *name)
{
  for (size_t i = 0; i < listing->count; i++)
    if (strcmp(listing->names[i], name) == 0)
      return true;
  return false;
}

static void list(void *context, const struct sl_term *term)
{
  struct listing *listing = context;
  if (listing->kind != (int)term->kind) {
    if (listing->kind >= 0)
      sl_list_end(&listing->line);
    sl_list_begin(&listing->line, stdout, 2, "%s:", sl_term_plurals[term->kind]);
    listing->kind = (int)term->kind;
    listing->count = 0;
  }
  if (is_listed(listing, term->name[0]))
    return;
  if (listing->count < LISTED)
    snprintf(listing->names[listing->count++], NAME, "%s", term->name[0]);
  sl_list_item(&listing->line, "%s", term->name[0]);
}

static enum sl_status explain_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  static const struct sl_option options[] = {{0}};
  struct sl_operands operands;
  struct listing listing = {.kind = -1};
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count == 0) {
    sl_terms_visit(list, &listing);
    sl_list_end(&listing.line);
  }
  for (int i = 0; i < operands.count && code == SL_OK; i++) {
    if (i > 0)
      printf("\n");
    code = explain(operands.items[i], err);
  }
  return code;
}

const struct sl_command sl_explain_command = {
    .name = "explain",
    .operands = "[NAME]...",
    .operand = {"TERM", "TERM"},
    .summary = "Explain a term, key, counter, stall reason, column or status",
    .details = "Shows the unit, the machines that have it, and the source. A NAME may have several\n"
               "meanings. Without a NAME it lists all terms.\n",
    .listing = true,
    .run = explain_command,
};
