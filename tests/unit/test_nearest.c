/* Suggestion of the nearest name for a mistyped one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/types.h"

static void measures_distance(void **state)
{
  (void)state;
  assert_int_equal(sl_edit_distance("", ""), 0);
  assert_int_equal(sl_edit_distance("abc", ""), 3);
  assert_int_equal(sl_edit_distance("", "abc"), 3);
  assert_int_equal(sl_edit_distance("warps", "warp"), 1);
  assert_int_equal(sl_edit_distance("kitten", "sitting"), 3);
  assert_int_equal(sl_edit_distance("FPU", "fpu"), 0);
  char longer[400];
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  assert_true(sl_edit_distance(longer, "x") > 10);
}

static void a_transposition_is_one_edit(void **state)
{
  (void)state;
  assert_int_equal(sl_edit_distance("rnu", "run"), 1);
  assert_int_equal(sl_edit_distance("ab", "ba"), 1);
  assert_int_equal(sl_edit_distance("simtigth", "simtight"), 1);
  assert_int_equal(sl_edit_distance("ca", "abc"), 3); /* no edit inside a transposition */
  assert_int_equal(sl_edit_distance("abcd", "badc"), 2);
}

/* The suggestion for a word among names that end with NULL. */
static const char *suggested(const char *word, const char *const *names)
{
  struct sl_nearest nearest;
  sl_nearest_begin(&nearest, word);
  for (; *names != NULL; names++)
    sl_nearest_offer(&nearest, *names);
  return nearest.name;
}

static void suggests_the_nearest(void **state)
{
  (void)state;
  static const char *const names[] = {"verify", "run", "machines", "rum", NULL};
  assert_string_equal(suggested("rnu", names), "run");
  assert_string_equal(suggested("rums", names), "rum");
  assert_string_equal(suggested("verfiy", names), "verify");
  assert_string_equal(suggested("mashinse", names), "machines"); /* two edits of eight letters */
}

static void suggests_no_distant_names(void **state)
{
  (void)state;
  static const char *const names[] = {"verify", "run", "machines", "cc", NULL};
  assert_null(suggested("foo", names));
  assert_null(suggested("ru-x", names));
  assert_null(suggested("xc", names));                                        /* one edit of two letters */
  assert_null(suggested("vreffy", (const char *const[]){"verifying", NULL})); /* more than two edits */
  assert_null(suggested("mxchxnxs", names));                                  /* three of eight */
  assert_null(suggested("", names));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(measures_distance),
      cmocka_unit_test(a_transposition_is_one_edit),
      cmocka_unit_test(suggests_the_nearest),
      cmocka_unit_test(suggests_no_distant_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
