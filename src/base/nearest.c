#include "base/nearest.h"

#include <string.h>

enum { LONGEST = 80 };

static unsigned least(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

unsigned sl_edit_distance(const char *a, const char *b)
{
  unsigned row[LONGEST + 1];
  size_t a_length = strnlen(a, LONGEST), b_length = strnlen(b, LONGEST);
  for (size_t j = 0; j <= b_length; j++)
    row[j] = (unsigned)j;
  for (size_t i = 0; i < a_length; i++) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i + 1;
    for (size_t j = 0; j < b_length; j++) {
      unsigned replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = least(replaced, least(diagonal, row[j]) + 1);
    }
  }
  return row[b_length];
}
