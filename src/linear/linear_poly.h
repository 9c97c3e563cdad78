/* Polynomials with integer coefficients over symbols that have a value when a kernel is launched (arguments, sizes of
 * blocks and grids, addresses) or in an iteration of a loop. Each is kept once, so that two are equal if their numbers
 * are. Arithmetic is modulo 2^bits, coefficients are shown as signed numbers.
 *
 * What the coefficients of D. Ha, Y. Oh and W. W. Ro, R2D2 (ISCA 2023), section 3.1.1 are made of. */
#ifndef SL_LINEAR_LINEAR_POLY_H
#define SL_LINEAR_LINEAR_POLY_H

#include "base/error.h"
#include "base/types.h"

/* Greater ones are SL_POLY_NONE, like those of which SL_POLY_NONE is a part. */
enum { SL_POLY_DEGREE = 4, SL_POLY_TERMS = 16 };

typedef uint32_t sl_poly;
#define SL_POLY_ZERO 0u
#define SL_POLY_NONE UINT32_MAX

/* A coefficient and its symbols in rising order; symbol 0 is none, and comes after the others. */
struct sl_poly_term {
  int64_t coefficient;
  uint16_t symbol[SL_POLY_DEGREE];
};

struct sl_polys;

/* NULL: no memory. `bits` from 1 to 64. */
struct sl_polys *sl_polys_new(unsigned bits);
void sl_polys_free(struct sl_polys *all);
/* Whether memory has run out; then polynomials have become SL_POLY_NONE that are none too great. */
bool sl_polys_failed(const struct sl_polys *all);

sl_poly sl_poly_number(struct sl_polys *all, int64_t number);
sl_poly sl_poly_symbol(struct sl_polys *all, uint16_t symbol);
sl_poly sl_poly_add(struct sl_polys *all, sl_poly a, sl_poly b);
sl_poly sl_poly_subtract(struct sl_polys *all, sl_poly a, sl_poly b);
sl_poly sl_poly_multiply(struct sl_polys *all, sl_poly a, sl_poly b);
/* With a polynomial in place of a symbol; `with` may not contain it. */
sl_poly sl_poly_replace(struct sl_polys *all, sl_poly a, uint16_t symbol, sl_poly with);

/* The terms that have no symbol from `first` on. */
sl_poly sl_poly_below(struct sl_polys *all, sl_poly a, uint16_t first);

/* Its terms, by degree and symbols: at most SL_POLY_TERMS; none of zero. */
unsigned sl_poly_terms(const struct sl_polys *all, sl_poly a, const struct sl_poly_term **terms);
/* Whether it is a number, and which. */
bool sl_poly_is_number(const struct sl_polys *all, sl_poly a, int64_t *number);
/* The greatest number of symbols from `first` on in a term, each counted as often as it occurs. */
unsigned sl_poly_degree_from(const struct sl_polys *all, sl_poly a, uint16_t first);
/* Its value, with values[s] for symbol s; reduced as the coefficients are. */
int64_t sl_poly_value(const struct sl_polys *all, sl_poly a, const int64_t *values);

/* Writes it as "4*P1+4", symbols with the names that name() gives, into text of `size` bytes; returns text. */
char *sl_poly_text(const struct sl_polys *all, sl_poly a, const char *(*name)(const void *context, uint16_t symbol),
                   const void *context, char *text, size_t size);

#endif
