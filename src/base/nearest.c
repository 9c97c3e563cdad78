#include "base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 80, FEW = 2, LETTERS_PER_EDIT = 3 };

static unsigned least(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

static bool same(char a, char b)
{
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Row i of the table has the distances of the first i letters of a to the prefixes of b. Three rows are kept. */
unsigned sl_edit_distance(const char *a, const char *b)
{
  unsigned rows[3][LONGEST + 1];
  const size_t a_length = strnlen(a, LONGEST), b_length = strnlen(b, LONGEST);
  for (size_t j = 0; j <= b_length; j++)
    rows[0][j] = (unsigned)j;
  for (size_t i = 1; i <= a_length; i++) {
    unsigned *row = rows[i % 3], *before = rows[(i - 1) % 3], *earlier = rows[(i + 1) % 3];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= b_length; j++) {
      row[j] = least(before[j - 1] + !same(a[i - 1], b[j - 1]), least(before[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        row[j] = least(row[j], earlier[j - 2] + 1);
    }
  }
  return rows[a_length % 3][b_length];
}

static bool is_near(const char *word, const char *name, unsigned distance)
{
  const size_t a = strnlen(word, LONGEST), b = strnlen(name, LONGEST);
  return distance <= FEW && distance * LETTERS_PER_EDIT <= (a > b ? a : b);
}

void sl_nearest_begin(struct sl_nearest *nearest, const char *word)
{
  *nearest = (struct sl_nearest){.word = word};
}

void sl_nearest_offer(struct sl_nearest *nearest, const char *name)
{
  const unsigned distance = sl_edit_distance(nearest->word, name);
  if (is_near(nearest->word, name, distance) && (nearest->name == NULL || distance < nearest->distance)) {
    nearest->name = name;
    nearest->distance = distance;
  }
}
