/* The valid name that a mistyped one was probably meant to be, for "did you mean" in error messages.
 *
 * Near is a name that a few edits turn the word into: insert, delete or replace a letter, or exchange two neighbours
 * (the distance of Damerau and Levenshtein, without an edit inside an exchange). A few are at most a third of the
 * letters of the longer one, and at most two. Capital letters are as good as small ones. */
#ifndef SL_BASE_NEAREST_H
#define SL_BASE_NEAREST_H

/* Edits that turn one name into the other; of long names only the beginning counts. */
unsigned sl_edit_distance(const char *a, const char *b);

/* A search among names that are offered one after the other. */
struct sl_nearest {
  const char *word;
  const char *name; /* the first of the nearest, NULL while none is near */
  unsigned distance;
};

void sl_nearest_begin(struct sl_nearest *nearest, const char *word);
void sl_nearest_offer(struct sl_nearest *nearest, const char *name);

#endif
