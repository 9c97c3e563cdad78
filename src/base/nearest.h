/* How far a mistyped name is from a valid one, for "did you mean" in error messages. */
#ifndef SL_BASE_NEAREST_H
#define SL_BASE_NEAREST_H

/* Edits (insert, delete, replace) that turn one name into the other; of long names only the beginning counts. */
unsigned sl_edit_distance(const char *a, const char *b);

#endif
