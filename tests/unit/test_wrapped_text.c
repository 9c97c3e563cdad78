/* Text in columns, wrapped lines, and folded tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "observe/terminal.h"

/* A file in memory, and its contents. */
struct written {
  FILE *file;
  char *text;
  size_t size;
};

static void begin(struct written *written, const char *columns)
{
  *written = (struct written){0};
  if (columns != NULL)
    setenv("COLUMNS", columns, 1);
  else
    unsetenv("COLUMNS");
  written->file = open_memstream(&written->text, &written->size);
  assert_non_null(written->file);
}

static void check(struct written *written, const char *expected)
{
  fclose(written->file);
  assert_string_equal(written->text, expected);
  free(written->text);
}

static void characters_have_their_width(void **state)
{
  (void)state;
  assert_int_equal(sl_text_columns("abc"), 3);
  assert_int_equal(sl_text_columns("gr\xc3\xb6\xc3\x9f"), 4);          /* two bytes, one column each */
  assert_int_equal(sl_text_columns("\xe5\x8a\xa0\xe7\xae\x97"), 4);    /* CJK: two columns each */
  assert_int_equal(sl_text_columns("o\xcc\x88"), 1);                   /* a combining mark */
  assert_int_equal(sl_text_columns("\xf0\x9f\x98\x80"), 2);            /* outside the basic plane */
  assert_int_equal(sl_text_fitting("\xe5\x8a\xa0\xe7\xae\x97", 3), 3); /* no half characters */
  assert_int_equal(sl_text_fitting("abc", 9), 3);
}

static void lines_break_at_blanks(void **state)
{
  (void)state;
  struct written out;
  begin(&out, NULL);
  sl_print_wrapped(out.file, "one two three", &(struct sl_wrapping){0, 2, 8});
  check(&out, "one two\n  three\n");
  begin(&out, NULL);
  sl_print_wrapped(out.file, "incomprehensible is", &(struct sl_wrapping){0, 0, 6});
  check(&out, "incomprehensible\nis\n"); /* a word is not divided */
  begin(&out, NULL);
  sl_print_wrapped(out.file, "one two", &(struct sl_wrapping){6, 4, 8});
  check(&out, "\n    one\n    two\n"); /* begins below the existing text */
  begin(&out, NULL);
  sl_print_wrapped(out.file, "", &(struct sl_wrapping){0, 0, 8});
  check(&out, "\n");
}

static void the_width_is_80_or_as_given(void **state)
{
  (void)state;
  static const struct {
    const char *said;
    unsigned columns;
  } cases[] = {{NULL, 80}, {"", 80}, {"120", 120}, {"7", 40}, {"wide", 80}, {"99999", 80}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct written out;
    begin(&out, cases[i].said);
    assert_int_equal(sl_terminal_of(out.file).columns, cases[i].columns);
    assert_false(sl_terminal_of(out.file).redraws);
    check(&out, "");
  }
}

static void list_items_are_not_broken(void **state)
{
  (void)state;
  struct written out;
  begin(&out, "40");
  struct sl_list_line line;
  sl_list_begin(&line, out.file, 2, "numbers:");
  for (int i = 0; i < 4; i++)
    sl_list_item(&line, "item number %d", i);
  sl_list_end(&line);
  check(&out, "numbers: item number 0, item number 1,\n  item number 2, item number 3\n");
}

static void fill(struct sl_table *table, const char *const *cells)
{
  for (; *cells != NULL; cells++)
    sl_table_cell(table, "%s", *cells);
}

static void a_wide_table_is_printed_as_several(void **state)
{
  (void)state;
  static const char *const titles[] = {"name", ">a long title", ">another one", ">the last of all", NULL};
  static const char *const cells[] = {"x", "1", "2", "3", "gr\xc3\xb6\xc3\x9f", "10", "20", "30", NULL};
  struct sl_table table;
  struct written out;
  begin(&out, "40");
  sl_table_init(&table, titles);
  fill(&table, cells);
  assert_true(sl_table_print(&table, out.file));
  check(&out, "name  a long title  another one\n"
              "x                1            2\n"
              "gr\xc3\xb6\xc3\x9f            10           20\n"
              "\n"
              "name  the last of all\n"
              "x                   3\n"
              "gr\xc3\xb6\xc3\x9f               30\n");
  begin(&out, "60");
  assert_true(sl_table_print(&table, out.file));
  check(&out, "name  a long title  another one  the last of all\n"
              "x                1            2                3\n"
              "gr\xc3\xb6\xc3\x9f            10           20               30\n");
  sl_table_free(&table);
}

/* A name that fills the line still stands beside every column. */
static void a_long_name_continues_below(void **state)
{
  (void)state;
  static const char *const titles[] = {"name", ">a long title", ">another one", NULL};
  static const char *const cells[] = {"0123456789012345678901234567890123456789", "1", "2", "x", "10", "20", NULL};
  struct sl_table table;
  struct written out;
  begin(&out, "40");
  sl_table_init(&table, titles);
  fill(&table, cells);
  assert_true(sl_table_print(&table, out.file));
  check(&out, "name                  a long title\n"
              "01234567890123456789\n"
              "01234567890123456789             1\n"
              "x                               10\n"
              "\n"
              "name                  another one\n"
              "01234567890123456789\n"
              "01234567890123456789            2\n"
              "x                              20\n");
  sl_table_free(&table);
}

static void trailing_text_continues_below(void **state)
{
  (void)state;
  static const char *const titles[] = {"name", "meaning", NULL};
  static const char *const cells[] = {"x", "one two three four five six seven eight nine", NULL};
  struct sl_table table;
  struct written out;
  begin(&out, "40");
  sl_table_init(&table, titles);
  fill(&table, cells);
  assert_true(sl_table_print(&table, out.file));
  check(&out, "name  meaning\n"
              "x     one two three four five six seven\n"
              "      eight nine\n");
  sl_table_free(&table);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(characters_have_their_width),        cmocka_unit_test(lines_break_at_blanks),
      cmocka_unit_test(the_width_is_80_or_as_given),        cmocka_unit_test(list_items_are_not_broken),
      cmocka_unit_test(a_wide_table_is_printed_as_several), cmocka_unit_test(trailing_text_continues_below),
      cmocka_unit_test(a_long_name_continues_below),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
