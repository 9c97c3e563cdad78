/* Values of registers as terms: equal terms are equal values. A term that is computed from others knows them. */
#ifndef SL_TOOLCHAIN_LANES_LANE_TERMS_H
#define SL_TOOLCHAIN_LANES_LANE_TERMS_H

#include "base/types.h"

/* 0 is no term. */
typedef uint64_t sl_term;

struct sl_term_entry {
  sl_term term, of[3];
};

struct sl_terms {
  struct sl_term_entry *entry; /* by hash; a power of two of them */
  size_t room, count;
  bool lost; /* memory: some terms do not know what they are computed from */
};

void sl_terms_free(struct sl_terms *terms);

/* The term of an operation on up to three others (0: none) and a number. */
sl_term sl_term_of(struct sl_terms *terms, unsigned operation, const sl_term of[3], uint32_t number);

/* A term that is nothing but itself, known by two numbers, the first below 256. */
sl_term sl_term_alone(uint32_t kind, uint32_t number);

/* Whether all that a term is computed from satisfies a condition on the two numbers. */
bool sl_term_rests_on(const struct sl_terms *terms, sl_term term,
                      bool (*holds)(const void *context, uint32_t kind, uint32_t number), const void *context);

/* Whether one is computed from the other, in a few steps, or is the other. */
bool sl_term_has(const struct sl_terms *terms, sl_term whole, sl_term part);

#endif
