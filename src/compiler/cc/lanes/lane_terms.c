#include "compiler/cc/lanes/lane_terms.h"

#include <stdlib.h>

/* Maximum depth of a search for an operand. */
enum { MAX_DEPTH = 10 };

/* Maximum number of computed terms that a query may visit. */
enum { MAX_TERMS = 200 };

static sl_term mix(sl_term a, uint64_t b)
{
  a = (a ^ b) * UINT64_C(0x9E3779B97F4A7C15);
  return a ^ a >> 29;
}

void sl_terms_free(struct sl_terms *terms)
{
  free(terms->entry);
  *terms = (struct sl_terms){0};
}

static struct sl_term_entry *place(const struct sl_terms *terms, sl_term term)
{
  size_t at = (size_t)(term >> 1) & (terms->room - 1);
  while (terms->entry[at].term != 0 && terms->entry[at].term != term)
    at = (at + 1) & (terms->room - 1);
  return &terms->entry[at];
}

static bool grow(struct sl_terms *terms)
{
  struct sl_terms wider = {.room = terms->room != 0 ? 2 * terms->room : 256, .count = terms->count};
  wider.entry = calloc(wider.room, sizeof *wider.entry);
  if (wider.entry == NULL)
    return false;
  for (size_t i = 0; i < terms->room; i++)
    if (terms->entry[i].term != 0)
      *place(&wider, terms->entry[i].term) = terms->entry[i];
  free(terms->entry);
  *terms = wider;
  return true;
}

sl_term sl_term_of(struct sl_terms *terms, unsigned operation, const sl_term of[3], uint32_t number)
{
  sl_term term = mix(mix(1, operation), number);
  for (unsigned i = 0; i < 3; i++)
    term = mix(term, of[i] + i);
  term |= 1;
  if (2 * terms->count >= terms->room && !grow(terms)) {
    terms->lost = true;
    return term;
  }
  struct sl_term_entry *entry = place(terms, term);
  terms->count += entry->term == 0;
  *entry = (struct sl_term_entry){term, {of[0], of[1], of[2]}};
  return term;
}

sl_term sl_term_leaf(uint32_t kind, uint32_t number)
{
  return (sl_term)kind << 40 | (sl_term)number << 1;
}

static bool is_leaf(sl_term term)
{
  return (term & 1) == 0;
}

static bool has(const struct sl_terms *terms, sl_term whole, sl_term part, unsigned steps)
{
  if (whole == part)
    return true;
  const struct sl_term_entry *entry = whole != 0 && steps > 0 && terms->room != 0 ? place(terms, whole) : NULL;
  for (unsigned i = 0; entry != NULL && entry->term != 0 && i < 3; i++)
    if (entry->of[i] != 0 && has(terms, entry->of[i], part, steps - 1))
      return true;
  return false;
}

bool sl_term_has(const struct sl_terms *terms, sl_term whole, sl_term part)
{
  return whole != 0 && part != 0 && has(terms, whole, part, MAX_DEPTH);
}

struct query {
  const struct sl_terms *terms;
  bool (*holds)(const void *context, uint32_t kind, uint32_t number);
  const void *context;
  unsigned budget; /* computed terms that the query may still visit */
};

static bool depends_only_on(struct query *q, sl_term term)
{
  if (is_leaf(term))
    return term == 0 || q->holds(q->context, (uint32_t)(term >> 40), (uint32_t)(term >> 1));
  const struct sl_term_entry *entry = q->budget > 0 && q->terms->room != 0 ? place(q->terms, term) : NULL;
  if (entry == NULL || entry->term == 0)
    return false;
  q->budget--;
  for (unsigned i = 0; i < 3; i++)
    if (!depends_only_on(q, entry->of[i]))
      return false;
  return true;
}

bool sl_term_depends_only_on(const struct sl_terms *terms, sl_term term,
                             bool (*holds)(const void *context, uint32_t kind, uint32_t number), const void *context)
{
  struct query query = {terms, holds, context, MAX_TERMS};
  return depends_only_on(&query, term);
}
