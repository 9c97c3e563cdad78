/* Finds the valid name nearest to a mistyped one, for "did you mean" in error messages.
 *
 * The distance is that of Damerau and Levenshtein: the number of edits that insert, delete or replace a letter, or
 * exchange two neighbours, without an edit inside an exchange. A name is near if its distance is at most two and at
 * most a third of the letters of the longer name. Case is ignored. */
#ifndef SL_BASE_NEAREST_H
#define SL_BASE_NEAREST_H

/* The edit distance of two names. Only the beginning of long names counts. */
unsigned sl_edit_distance(const char *a, const char *b);

/* A search among names that the caller offers one by one. */
struct sl_nearest {
  const char *word;
  const char *name; /* the first of the nearest names; NULL while none is near */
  unsigned distance;
};

void sl_nearest_begin(struct sl_nearest *nearest, const char *word);
void sl_nearest_offer(struct sl_nearest *nearest, const char *name);

#endif
