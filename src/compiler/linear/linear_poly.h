/* Polynomials with integer coefficients over symbols. A symbol has its value at kernel launch (arguments, sizes of
 * blocks and grids, addresses) or in a loop iteration. Each polynomial is stored once, so two are equal if and only if
 * their numbers are. Arithmetic is modulo 2^bits; coefficients are shown as signed numbers.
 *
 * They represent the coefficients of D. Ha, Y. Oh and W. W. Ro, R2D2 (ISCA 2023), section 3.1.1. */
#ifndef SL_LINEAR_LINEAR_POLY_H
#define SL_LINEAR_LINEAR_POLY_H

#include "base/error.h"
#include "base/types.h"

/* Larger polynomials become SL_POLY_NONE, and so does every result with an operand SL_POLY_NONE. */
enum { SL_POLY_DEGREE = 4, SL_POLY_TERMS = 16 };

typedef uint32_t sl_poly;
#define SL_POLY_ZERO 0u
#define SL_POLY_NONE UINT32_MAX

/* A coefficient and its symbols in ascending order; symbol 0 means none and comes after the others. */
struct sl_poly_term {
  int64_t coefficient;
  uint16_t symbol[SL_POLY_DEGREE];
};

struct sl_polys;

/* NULL: out of memory. `bits` from 1 to 64. */
struct sl_polys *sl_polys_new(unsigned bits);
void sl_polys_free(struct sl_polys *all);
/* Whether memory was exhausted; then small polynomials may have become SL_POLY_NONE, too. */
bool sl_polys_failed(const struct sl_polys *all);

sl_poly sl_poly_number(struct sl_polys *all, int64_t number);
sl_poly sl_poly_symbol(struct sl_polys *all, uint16_t symbol);
sl_poly sl_poly_add(struct sl_polys *all, sl_poly a, sl_poly b);
sl_poly sl_poly_subtract(struct sl_polys *all, sl_poly a, sl_poly b);
sl_poly sl_poly_multiply(struct sl_polys *all, sl_poly a, sl_poly b);
/* Substitutes a polynomial for a symbol; `with` must not contain the symbol. */
sl_poly sl_poly_replace(struct sl_polys *all, sl_poly a, uint16_t symbol, sl_poly with);

/* Returns the terms without symbols from `first` on. */
sl_poly sl_poly_below(struct sl_polys *all, sl_poly a, uint16_t first);

/* Returns the terms, ordered by degree and symbols: at most SL_POLY_TERMS; zero has no terms. */
unsigned sl_poly_terms(const struct sl_polys *all, sl_poly a, const struct sl_poly_term **terms);
/* Whether the polynomial is a number; returns the number. */
bool sl_poly_is_number(const struct sl_polys *all, sl_poly a, int64_t *number);
/* Returns the largest number of symbols from `first` on in a term, counted with multiplicity. */
unsigned sl_poly_degree_from(const struct sl_polys *all, sl_poly a, uint16_t first);
/* Evaluates the polynomial with values[s] for symbol s; the result is reduced like the coefficients. */
int64_t sl_poly_value(const struct sl_polys *all, sl_poly a, const int64_t *values);

/* Writes it as "4*P1+4", with symbol names from name(), into text of `size` bytes; returns text. */
char *sl_poly_text(const struct sl_polys *all, sl_poly a, const char *(*name)(const void *context, uint16_t symbol),
                   const void *context, char *text, size_t size);

#endif
