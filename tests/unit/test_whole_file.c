/* Atomic files: a file gets its name when it is complete. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/whole_file.h"

/* A folder with a file "old". */
struct fixture {
  char folder[32], old[64];
};

static void put(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static void assert_holds(const char *path, const char *text)
{
  char got[64] = "";
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_true(fgets(got, sizeof got, file) != NULL);
  fclose(file);
  assert_string_equal(got, text);
}

static unsigned files_in(const char *folder)
{
  unsigned count = 0;
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  for (const struct dirent *entry; (entry = readdir(dir)) != NULL;)
    count += entry->d_name[0] != '.';
  closedir(dir);
  return count;
}

static int set_up(void **state)
{
  struct fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  strcpy(f->folder, "/tmp/whole-XXXXXX");
  assert_non_null(mkdtemp(f->folder));
  snprintf(f->old, sizeof f->old, "%s/old", f->folder);
  put(f->old, "before");
  *state = f;
  return 0;
}

static int tear_down(void **state)
{
  struct fixture *f = *state;
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", f->folder);
  assert_int_equal(system(command), 0);
  free(f);
  return 0;
}

static void the_old_file_stays_until_the_new_one_is_closed(void **state)
{
  const struct fixture *f = *state;
  struct sl_whole_file whole;
  struct sl_error err;
  assert_int_equal(sl_whole_file_open(&whole, f->old, &err), SL_OK);
  fputs("after", whole.file);
  fflush(whole.file);
  assert_holds(f->old, "before");
  assert_int_equal(sl_whole_file_close(&whole, true, &err), SL_OK);
  assert_holds(f->old, "after");
  assert_int_equal(files_in(f->folder), 1);
}

static void a_discarded_file_leaves_no_trace(void **state)
{
  const struct fixture *f = *state;
  struct sl_whole_file whole;
  struct sl_error err;
  assert_int_equal(sl_whole_file_open(&whole, f->old, &err), SL_OK);
  fputs("after", whole.file);
  sl_whole_file_drop(&whole);
  assert_holds(f->old, "before");
  assert_int_equal(files_in(f->folder), 1);
}

static void concurrent_writers_use_separate_files(void **state)
{
  const struct fixture *f = *state;
  struct sl_whole_file a, b;
  struct sl_error err;
  assert_int_equal(sl_whole_file_open(&a, f->old, &err), SL_OK);
  assert_int_equal(sl_whole_file_open(&b, f->old, &err), SL_OK);
  fputs("a", a.file);
  fputs("b", b.file);
  assert_int_equal(sl_whole_file_close(&a, false, &err), SL_OK);
  assert_holds(f->old, "a");
  assert_int_equal(sl_whole_file_close(&b, false, &err), SL_OK);
  assert_holds(f->old, "b");
}

static void permissions_are_kept(void **state)
{
  const struct fixture *f = *state;
  struct sl_whole_file whole;
  struct sl_error err;
  struct stat status;
  assert_int_equal(chmod(f->old, 0640), 0);
  assert_int_equal(sl_whole_file_open(&whole, f->old, &err), SL_OK);
  assert_int_equal(sl_whole_file_close(&whole, false, &err), SL_OK);
  assert_int_equal(stat(f->old, &status), 0);
  assert_int_equal(status.st_mode & 07777, 0640);
}

static void symbolic_links_are_kept(void **state)
{
  const struct fixture *f = *state;
  struct sl_whole_file whole;
  struct sl_error err;
  struct stat status;
  char path[64];
  snprintf(path, sizeof path, "%s/link", f->folder);
  assert_int_equal(symlink("old", path), 0);
  assert_int_equal(sl_whole_file_open(&whole, path, &err), SL_OK);
  fputs("after", whole.file);
  assert_int_equal(sl_whole_file_close(&whole, false, &err), SL_OK);
  assert_int_equal(lstat(path, &status), 0);
  assert_true(S_ISLNK(status.st_mode));
  assert_holds(f->old, "after");
}

static void a_device_is_written_directly(void **state)
{
  (void)state;
  struct sl_whole_file whole;
  struct sl_error err;
  struct stat status;
  assert_int_equal(sl_whole_file_open(&whole, "/dev/full", &err), SL_OK);
  assert_string_equal(whole.aside, "");
  fputs("text", whole.file);
  assert_int_equal(sl_whole_file_close(&whole, false, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "/dev/full: cannot be written (No space left on device)"));
  assert_int_equal(stat("/dev/full", &status), 0);
  assert_true(S_ISCHR(status.st_mode));
}

static void impossible_paths_are_reported(void **state)
{
  const struct fixture *f = *state;
  struct sl_whole_file whole;
  struct sl_error err;
  char path[64];
  assert_int_equal(sl_whole_file_open(&whole, f->folder, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "Is a directory"));
  snprintf(path, sizeof path, "%s/none/file", f->folder);
  assert_int_equal(sl_whole_file_open(&whole, path, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "cannot be opened for writing (No such file or directory)"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(the_old_file_stays_until_the_new_one_is_closed, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_discarded_file_leaves_no_trace, set_up, tear_down),
      cmocka_unit_test_setup_teardown(concurrent_writers_use_separate_files, set_up, tear_down),
      cmocka_unit_test_setup_teardown(permissions_are_kept, set_up, tear_down),
      cmocka_unit_test_setup_teardown(symbolic_links_are_kept, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_device_is_written_directly, set_up, tear_down),
      cmocka_unit_test_setup_teardown(impossible_paths_are_reported, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
