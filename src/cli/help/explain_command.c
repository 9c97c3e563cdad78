/* simtlab explain: explains a word of simtlab's vocabulary. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/help/help.h"
#include "cli/options.h"
#include "config/config.h"
#include "observe/profile/profile.h"
#include "observe/terminal.h"

/* ---- terms ------------------------------------------------------------------------------------------------------- */

/* The glossary (docs/glossary.md): terms, table columns and statuses that no other table declares. */

struct sl_word {
  enum sl_term_kind kind;
  const char *name;
  const char *meaning;
  const char *elsewhere; /* synonyms, separated by commas, each with its users in parentheses; may be empty */
  const char *page;      /* page of the documentation; may be empty */
};

/* The list ends with a NULL name. */
extern const struct sl_word sl_words[];

const struct sl_word sl_words[] = {
#include "glossary.inc"
    {0},
};

const char *const sl_term_plurals[SL_TERM_KINDS] = {
    "terms", "keys", "counters", "causes of cycles", "columns of profile", "columns of tables", "statuses"};
const char *const sl_term_singulars[SL_TERM_KINDS] = {
    "term", "key", "counter", "cause of cycles", "column of profile", "column of tables", "status"};

/* The callback and its context. */
struct visitor {
  void (*visit)(void *context, const struct sl_term *term);
  void *context;
};

typedef bool find_term(const struct sl_machine *machine, size_t i, struct sl_term *term);

static bool same_text(const char *a, const char *b)
{
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_term(const struct sl_term *a, const struct sl_term *b)
{
  const struct sl_key *x = a->key, *y = b->key;
  const bool same_range = x == NULL || y == NULL ||
                          (x->type == y->type && x->least == y->least && x->greatest == y->greatest &&
                           x->fallback == y->fallback && x->power_of_two == y->power_of_two);
  return same_range && same_text(a->name[0], b->name[0]) && same_text(a->meaning, b->meaning) &&
         same_text(a->unit, b->unit) && same_text(a->source, b->source);
}

/* The set of machines that have the term. */
static unsigned machines_with(find_term *find, const struct sl_term *term)
{
  unsigned machines = 0;
  for (unsigned m = 0; sl_machines[m] != NULL; m++) {
    struct sl_term other;
    for (size_t i = 0; find(sl_machines[m], i, &other); i++)
      machines |= same_term(term, &other) ? 1u << m : 0;
  }
  return machines;
}

/* Terms that machines declare, each with the first machine that has it. */
static void visit_machines(const struct visitor *visitor, find_term *find)
{
  struct sl_term term;
  for (unsigned m = 0; sl_machines[m] != NULL; m++)
    for (size_t i = 0; find(sl_machines[m], i, &term); i++) {
      term.machines = machines_with(find, &term);
      if ((term.machines & ((1u << m) - 1)) == 0)
        visitor->visit(visitor->context, &term);
    }
}

static bool find_key(const struct sl_machine *machine, size_t i, struct sl_term *term)
{
  if (i >= machine->keys->count)
    return false;
  const struct sl_key *key = &machine->keys->key[i];
  *term = (struct sl_term){.kind = SL_TERM_KEY,
                           .name = {key->name},
                           .meaning = key->meaning,
                           .unit = key->unit,
                           .source = key->source,
                           .key = key};
  return true;
}

static bool find_counter(const struct sl_machine *machine, size_t i, struct sl_term *term)
{
  if (i >= machine->counters->count)
    return false;
  const struct sl_counter *counter = &machine->counters->counter[i];
  *term = (struct sl_term){.kind = SL_TERM_COUNTER,
                           .name = {counter->name, counter->rtl_name},
                           .meaning = counter->meaning,
                           .unit = counter->unit,
                           .source = counter->rtl_name != NULL ? "the hardware counts it, too" : "simtlab's own"};
  return true;
}

static bool find_cause(const struct sl_machine *machine, size_t i, struct sl_term *term)
{
  if (i >= machine->causes->count)
    return false;
  const struct sl_stall_reason *cause = &machine->causes->cause[i];
  *term = (struct sl_term){
      .kind = SL_TERM_STALL_REASON, .name = {cause->name}, .meaning = cause->meaning, .unit = "cycles"};
  return true;
}

enum { MACHINES = 32 };

/* The profile vocabulary of each machine, from a preset. */
static void find_parts(unsigned parts[MACHINES])
{
  for (size_t p = 0; p < sl_preset_count(); p++) {
    struct sl_config config;
    if (sl_config_open_preset(&config, p, NULL) != SL_OK)
      continue;
    for (unsigned m = 0; m < MACHINES && sl_machines[m] != NULL; m++)
      parts[m] |= sl_machines[m] == config.machine ? config.machine->profiled(config.spec) : 0;
    sl_config_close(&config);
  }
}

static void visit_columns(const struct visitor *visitor)
{
  unsigned parts[MACHINES] = {0};
  find_parts(parts);
  for (size_t i = 0; i < sl_profile_column_count; i++) {
    const struct sl_profile_column *column = &sl_profile_columns[i];
    char text[64] = "";
    struct sl_term term = {.kind = SL_TERM_PROFILE, .meaning = column->meaning};
    for (unsigned m = 0; m < MACHINES; m++)
      term.machines |= (parts[m] & column->needs) != 0 ? 1u << m : 0;
    if (column->text[0] != NULL)
      snprintf(text, sizeof text, "%s%s%s", column->text[0], column->text[1][0] != '\0' ? " " : "", column->text[1]);
    const char *const names[] = {column->title, text, column->name, column->event};
    for (size_t k = 0, n = 0; k < SL_TERM_NAMES; k++)
      if (names[k] != NULL && names[k][0] != '\0')
        term.name[n++] = names[k];
    visitor->visit(visitor->context, &term);
  }
}

static void visit_exit_statuses(const struct visitor *visitor)
{
  for (const struct sl_convention *status = sl_exit_statuses; status->name != NULL; status++) {
    const struct sl_term term = {.kind = SL_TERM_STATUS, .name = {status->name}, .meaning = status->meaning};
    visitor->visit(visitor->context, &term);
  }
}

static const char *text_or_null(const char *text)
{
  return text[0] != '\0' ? text : NULL;
}

static void visit_words(const struct visitor *visitor, enum sl_term_kind kind)
{
  for (const struct sl_word *word = sl_words; word->name != NULL; word++) {
    const struct sl_term term = {.kind = kind,
                                 .name = {word->name},
                                 .meaning = word->meaning,
                                 .elsewhere = text_or_null(word->elsewhere),
                                 .page = text_or_null(word->page)};
    if (word->kind == kind)
      visitor->visit(visitor->context, &term);
  }
}

void sl_terms_visit(void (*visit)(void *context, const struct sl_term *term), void *context)
{
  const struct visitor visitor = {visit, context};
  visit_words(&visitor, SL_TERM_WORD);
  visit_machines(&visitor, find_key);
  visit_machines(&visitor, find_counter);
  visit_machines(&visitor, find_cause);
  visit_columns(&visitor);
  visit_words(&visitor, SL_TERM_TABLE);
  visit_words(&visitor, SL_TERM_STATUS);
  visit_exit_statuses(&visitor);
}

static char plain(char c)
{
  return c == ' ' || c == '-' ? '_' : (char)tolower((unsigned char)c);
}

/* Whether the first `length` characters of a name match the word. */
static bool is_word(const char *name, size_t length, const char *word)
{
  if (strlen(word) != length)
    return false;
  for (size_t i = 0; i < length; i++)
    if (plain(name[i]) != plain(word[i]))
      return false;
  return true;
}

/* Whether a list such as "wavefront (AMD), work group (OpenCL, AMD)" contains the word. */
static bool has_word(const char *list, const char *word)
{
  while (*list != '\0') {
    list += strspn(list, ", ");
    size_t length = strcspn(list, "(,");
    const char *after = list + length;
    if (*after == '(')
      after += strcspn(after, ")");
    while (length > 0 && list[length - 1] == ' ')
      length--;
    if (is_word(list, length, word))
      return true;
    list = after + strcspn(after, ",");
  }
  return false;
}

/* Whether a word is a name of a term; ignores case, blanks, '-' and '_'. */
static bool term_is(const struct sl_term *term, const char *word)
{
  for (size_t i = 0; i < SL_TERM_NAMES; i++)
    if (term->name[i] != NULL && is_word(term->name[i], strlen(term->name[i]), word))
      return true;
  return term->elsewhere != NULL && has_word(term->elsewhere, word);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

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
  if (term_is(term, search->word)) {
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
