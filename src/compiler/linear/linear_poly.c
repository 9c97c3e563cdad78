#include "compiler/linear/linear_vectors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct poly {
  uint32_t first, count, hash;
};

struct sl_polys {
  unsigned bits;
  bool failed;
  struct sl_poly_term *term;
  size_t terms, term_room;
  struct poly *poly;
  uint32_t polys, poly_room;
  uint32_t *table; /* hash table, open addressing: numbers plus 1 */
  uint32_t table_size;
};

/* Terms under construction: a sum has at most twice as many as a polynomial, a product the square. */
struct draft {
  unsigned count;
  struct sl_poly_term term[SL_POLY_TERMS * SL_POLY_TERMS];
};

static int64_t reduced(const struct sl_polys *all, uint64_t v)
{
  const unsigned unused = 64 - all->bits;
  return (int64_t)(v << unused) >> unused;
}

static unsigned degree(const struct sl_poly_term *t)
{
  unsigned n = 0;
  while (n < SL_POLY_DEGREE && t->symbol[n] != 0)
    n++;
  return n;
}

/* Higher degrees first, so that the number comes last. */
static int order(const void *a, const void *b)
{
  const struct sl_poly_term *p = a, *q = b;
  const unsigned m = degree(p), n = degree(q);
  if (m != n)
    return m > n ? -1 : 1;
  for (unsigned i = 0; i < m; i++)
    if (p->symbol[i] != q->symbol[i])
      return p->symbol[i] < q->symbol[i] ? -1 : 1;
  return 0;
}

static uint32_t hash_of(const struct sl_poly_term *terms, unsigned count)
{
  uint64_t h = count;
  for (unsigned i = 0; i < count; i++) {
    uint64_t symbols;
    memcpy(&symbols, terms[i].symbol, sizeof symbols);
    h = (h ^ (uint64_t)terms[i].coefficient) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 29) ^ symbols) * UINT64_C(0xbf58476d1ce4e5b9);
  }
  return (uint32_t)(h ^ (h >> 32));
}

static bool same(const struct sl_polys *all, const struct poly *p, const struct sl_poly_term *terms, unsigned count)
{
  if (p->count != count)
    return false;
  for (unsigned i = 0; i < count; i++) {
    const struct sl_poly_term *t = &all->term[p->first + i];
    if (t->coefficient != terms[i].coefficient || memcmp(t->symbol, terms[i].symbol, sizeof t->symbol) != 0)
      return false;
  }
  return true;
}

static bool grow_table(struct sl_polys *all)
{
  const uint32_t size = all->table_size * 2;
  uint32_t *table = calloc(size, sizeof *table);
  if (table == NULL)
    return false;
  for (uint32_t i = 0; i < all->polys; i++) {
    uint32_t at = all->poly[i].hash & (size - 1);
    while (table[at] != 0)
      at = (at + 1) & (size - 1);
    table[at] = i + 1;
  }
  free(all->table);
  all->table = table;
  all->table_size = size;
  return true;
}

static bool make_room(struct sl_polys *all, unsigned terms)
{
  if (all->terms + terms > all->term_room) {
    struct sl_poly_term *grown = realloc(all->term, (2 * all->term_room + terms) * sizeof *grown);
    if (grown == NULL)
      return false;
    all->term = grown;
    all->term_room = 2 * all->term_room + terms;
  }
  if (all->polys == all->poly_room) {
    struct poly *grown = realloc(all->poly, 2 * all->poly_room * sizeof *grown);
    if (grown == NULL)
      return false;
    all->poly = grown;
    all->poly_room *= 2;
  }
  return 2 * all->polys < all->table_size || grow_table(all);
}

/* Returns the number of a polynomial with sorted terms and no coefficient 0. */
static sl_poly keep(struct sl_polys *all, const struct sl_poly_term *terms, unsigned count)
{
  const uint32_t hash = hash_of(terms, count);
  for (uint32_t at = hash & (all->table_size - 1); all->table[at] != 0; at = (at + 1) & (all->table_size - 1))
    if (all->poly[all->table[at] - 1].hash == hash && same(all, &all->poly[all->table[at] - 1], terms, count))
      return all->table[at] - 1;
  if (!make_room(all, count)) {
    all->failed = true;
    return SL_POLY_NONE;
  }
  uint32_t at = hash & (all->table_size - 1);
  while (all->table[at] != 0)
    at = (at + 1) & (all->table_size - 1);
  all->table[at] = all->polys + 1;
  all->poly[all->polys] = (struct poly){.first = (uint32_t)all->terms, .count = count, .hash = hash};
  if (count > 0)
    memcpy(&all->term[all->terms], terms, count * sizeof *terms);
  all->terms += count;
  return all->polys++;
}

static sl_poly finish(struct sl_polys *all, struct draft *d)
{
  unsigned count = 0;
  qsort(d->term, d->count, sizeof *d->term, order);
  for (unsigned i = 0; i < d->count;) {
    struct sl_poly_term sum = d->term[i];
    uint64_t coefficient = 0;
    for (; i < d->count && order(&sum, &d->term[i]) == 0; i++)
      coefficient += (uint64_t)d->term[i].coefficient;
    sum.coefficient = reduced(all, coefficient);
    if (sum.coefficient != 0)
      d->term[count++] = sum;
  }
  return count <= SL_POLY_TERMS ? keep(all, d->term, count) : SL_POLY_NONE;
}

struct sl_polys *sl_polys_new(unsigned bits)
{
  static const struct sl_poly_term none = {.coefficient = 0};
  struct sl_polys *all = calloc(1, sizeof *all);
  if (all == NULL)
    return NULL;
  *all = (struct sl_polys){.bits = bits, .term_room = 64, .poly_room = 64, .table_size = 256};
  all->term = malloc(all->term_room * sizeof *all->term);
  all->poly = calloc(all->poly_room, sizeof *all->poly);
  all->table = calloc(all->table_size, sizeof *all->table);
  if (all->term == NULL || all->poly == NULL || all->table == NULL) {
    sl_polys_free(all);
    return NULL;
  }
  keep(all, &none, 0);
  return all;
}

void sl_polys_free(struct sl_polys *all)
{
  if (all == NULL)
    return;
  free(all->term);
  free(all->poly);
  free(all->table);
  free(all);
}

bool sl_polys_failed(const struct sl_polys *all)
{
  return all->failed;
}

sl_poly sl_poly_number(struct sl_polys *all, int64_t number)
{
  const struct sl_poly_term t = {.coefficient = reduced(all, (uint64_t)number)};
  return keep(all, &t, t.coefficient != 0);
}

sl_poly sl_poly_symbol(struct sl_polys *all, uint16_t symbol)
{
  return keep(all, &(struct sl_poly_term){.coefficient = 1, .symbol = {symbol}}, 1);
}

unsigned sl_poly_terms(const struct sl_polys *all, sl_poly a, const struct sl_poly_term **terms)
{
  *terms = &all->term[all->poly[a].first];
  return all->poly[a].count;
}

static void put(const struct sl_polys *all, struct draft *d, sl_poly a, int64_t factor)
{
  const struct sl_poly_term *terms;
  const unsigned count = sl_poly_terms(all, a, &terms);
  for (unsigned i = 0; i < count; i++) {
    struct sl_poly_term *t = &d->term[d->count++];
    *t = terms[i];
    t->coefficient = (int64_t)((uint64_t)t->coefficient * (uint64_t)factor);
  }
}

static sl_poly sum(struct sl_polys *all, sl_poly a, sl_poly b, int64_t factor)
{
  struct draft d = {.count = 0};
  if (a == SL_POLY_NONE || b == SL_POLY_NONE)
    return SL_POLY_NONE;
  put(all, &d, a, 1);
  put(all, &d, b, factor);
  return finish(all, &d);
}

sl_poly sl_poly_add(struct sl_polys *all, sl_poly a, sl_poly b)
{
  return b == SL_POLY_ZERO ? a : sum(all, a, b, 1);
}

sl_poly sl_poly_subtract(struct sl_polys *all, sl_poly a, sl_poly b)
{
  return b == SL_POLY_ZERO ? a : sum(all, a, b, -1);
}

/* Multiplies two terms; false: too many symbols. */
static bool product(const struct sl_poly_term *a, const struct sl_poly_term *b, struct sl_poly_term *out)
{
  const unsigned m = degree(a), n = degree(b);
  if (m + n > SL_POLY_DEGREE)
    return false;
  *out = (struct sl_poly_term){.coefficient = (int64_t)((uint64_t)a->coefficient * (uint64_t)b->coefficient)};
  for (unsigned i = 0, p = 0, q = 0; i < m + n; i++)
    out->symbol[i] = q == n || (p < m && a->symbol[p] <= b->symbol[q]) ? a->symbol[p++] : b->symbol[q++];
  return true;
}

sl_poly sl_poly_multiply(struct sl_polys *all, sl_poly a, sl_poly b)
{
  const struct sl_poly_term *p, *q;
  struct draft d = {.count = 0};
  if (a == SL_POLY_NONE || b == SL_POLY_NONE)
    return SL_POLY_NONE;
  const unsigned m = sl_poly_terms(all, a, &p), n = sl_poly_terms(all, b, &q);
  for (unsigned i = 0; i < m; i++)
    for (unsigned k = 0; k < n; k++)
      if (!product(&p[i], &q[k], &d.term[d.count++]))
        return SL_POLY_NONE;
  return finish(all, &d);
}

static unsigned power_of(const struct sl_poly_term *t, uint16_t symbol)
{
  unsigned n = 0;
  for (unsigned i = 0; i < SL_POLY_DEGREE; i++)
    n += t->symbol[i] == symbol;
  return n;
}

sl_poly sl_poly_replace(struct sl_polys *all, sl_poly a, uint16_t symbol, sl_poly with)
{
  struct sl_poly_term terms[SL_POLY_TERMS];
  const struct sl_poly_term *own;
  sl_poly result = SL_POLY_ZERO;
  if (a == SL_POLY_NONE)
    return a;
  const unsigned count = sl_poly_terms(all, a, &own);
  memcpy(terms, own, count * sizeof *own); /* the next call may move them */
  for (unsigned i = 0; i < count; i++) {
    struct sl_poly_term rest = {.coefficient = terms[i].coefficient};
    for (unsigned k = 0, n = 0; k < SL_POLY_DEGREE; k++)
      if (terms[i].symbol[k] != symbol)
        rest.symbol[n++] = terms[i].symbol[k];
    sl_poly part = keep(all, &rest, 1);
    for (unsigned n = power_of(&terms[i], symbol); n > 0; n--)
      part = sl_poly_multiply(all, part, with);
    result = sl_poly_add(all, result, part);
  }
  return result;
}

static unsigned symbols_from(const struct sl_poly_term *t, uint16_t first)
{
  unsigned n = 0;
  for (unsigned i = 0; i < SL_POLY_DEGREE; i++)
    n += t->symbol[i] >= first && t->symbol[i] != 0;
  return n;
}

sl_poly sl_poly_below(struct sl_polys *all, sl_poly a, uint16_t first)
{
  struct sl_poly_term kept[SL_POLY_TERMS];
  const struct sl_poly_term *t;
  unsigned n = 0;
  const unsigned count = sl_poly_terms(all, a, &t);
  for (unsigned i = 0; i < count; i++)
    if (symbols_from(&t[i], first) == 0)
      kept[n++] = t[i];
  return n == count ? a : keep(all, kept, n);
}

bool sl_poly_is_number(const struct sl_polys *all, sl_poly a, int64_t *number)
{
  const struct sl_poly_term *t;
  if (a == SL_POLY_NONE)
    return false;
  const unsigned count = sl_poly_terms(all, a, &t);
  *number = count == 0 ? 0 : t->coefficient;
  return count == 0 || (count == 1 && t->symbol[0] == 0);
}

unsigned sl_poly_degree_from(const struct sl_polys *all, sl_poly a, uint16_t first)
{
  const struct sl_poly_term *t;
  const unsigned count = sl_poly_terms(all, a, &t);
  unsigned most = 0;
  for (unsigned i = 0; i < count; i++) {
    const unsigned n = symbols_from(&t[i], first);
    most = n > most ? n : most;
  }
  return most;
}

int64_t sl_poly_value(const struct sl_polys *all, sl_poly a, const int64_t *values)
{
  const struct sl_poly_term *t;
  const unsigned count = sl_poly_terms(all, a, &t);
  uint64_t total = 0;
  for (unsigned i = 0; i < count; i++) {
    uint64_t value = (uint64_t)t[i].coefficient;
    for (unsigned k = 0; k < SL_POLY_DEGREE && t[i].symbol[k] != 0; k++)
      value *= (uint64_t)values[t[i].symbol[k]];
    total += value;
  }
  return reduced(all, total);
}

/* Writes a term after others: "+4*P1", "-P1"; the first one without the plus sign. */
static size_t write_term(const struct sl_poly_term *t, bool first, const char *(*name)(const void *, uint16_t),
                         const void *context, char *text, size_t size)
{
  size_t used = 0;
  const bool one = (t->coefficient == 1 || t->coefficient == -1) && t->symbol[0] != 0;
  const char *sign = t->coefficient < 0 ? "-" : first ? "" : "+";
  const uint64_t amount = t->coefficient < 0 ? 0 - (uint64_t)t->coefficient : (uint64_t)t->coefficient;
  const int n = one ? snprintf(text, size, "%s", sign) : snprintf(text, size, "%s%" PRIu64, sign, amount);
  used += n > 0 ? (size_t)n : 0;
  for (unsigned i = 0; i < SL_POLY_DEGREE && t->symbol[i] != 0 && used < size; i++) {
    const int more = snprintf(text + used, size - used, "%s%s", one && i == 0 ? "" : "*", name(context, t->symbol[i]));
    used += more > 0 ? (size_t)more : 0;
  }
  return used;
}

char *sl_poly_text(const struct sl_polys *all, sl_poly a, const char *(*name)(const void *context, uint16_t symbol),
                   const void *context, char *text, size_t size)
{
  const struct sl_poly_term *t;
  size_t used = 0;
  const unsigned count = sl_poly_terms(all, a, &t);
  snprintf(text, size, "0");
  for (unsigned i = 0; i < count && used < size; i++)
    used += write_term(&t[i], i == 0, name, context, text + used, size - used);
  return text;
}
