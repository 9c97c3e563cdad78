/* Outputs of a run: checked output files, tables, commit trace lines, figures and JSON. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "image.h"
#include "observe/commits.h"
#include "observe/figures.h"
#include "observe/report.h"
#include "observe/terminal.h"

/* The contents of a temporary file, as a string in the caller's buffer. */
static const char *written(FILE *file, char *text, size_t size)
{
  assert_int_equal(fflush(file), 0);
  rewind(file);
  text[fread(text, 1, size - 1, file)] = '\0';
  return text;
}

/* A trace file with a unique name, and its contents after closing. */
static void open_trace(struct sl_trace_file *trace, char path[static 32])
{
  memcpy(path, "/tmp/simtlab-observe-XXXXXX", sizeof "/tmp/simtlab-observe-XXXXXX");
  const int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  close(descriptor);
  assert_int_equal(sl_trace_file_open(trace, path, NULL), SL_OK);
}

static const char *close_trace(struct sl_trace_file *trace, const char *path, char *text, size_t size)
{
  assert_int_equal(sl_trace_file_close(trace, NULL), SL_OK);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  written(file, text, size);
  fclose(file);
  remove(path);
  return text;
}

static void full_disk_is_an_error(void **state)
{
  (void)state;
  struct sl_output output;
  struct sl_error err = {0};
  assert_int_equal(sl_output_open(&output, "/dev/full", &err), SL_OK);
  sl_output_print(&output, "one byte would do");
  assert_false(sl_output_flush(&output));
  sl_output_write(&output, "x", 1);
  assert_int_equal(sl_output_close(&output, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "/dev/full: cannot be written (No space left on device)"));
  assert_int_equal(sl_output_open(&output, "/nonexistent/file", &err), SL_USAGE);
  assert_non_null(strstr(err.text, "/nonexistent/file: cannot be opened for writing"));
}

static void tables_align(void **state)
{
  (void)state;
  static const char *const titles[] = {"name", ">cycles", "note", NULL};
  static const char *const cells[] = {"a", "1", "x", "longer", "12,345,678", "yy"};
  struct sl_table table;
  char text[256];
  FILE *file = tmpfile();
  sl_table_init(&table, titles);
  for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
    sl_table_cell(&table, "%s", cells[i]);
  assert_true(sl_table_print(&table, file));
  assert_string_equal(written(file, text, sizeof text), "name        cycles  note\n"
                                                        "a                1  x\n"
                                                        "longer  12,345,678  yy\n");
  sl_table_free(&table);
  fclose(file);
}

static void numbers_are_grouped(void **state)
{
  (void)state;
  char text[32];
  assert_string_equal(sl_grouped(0, text), "0");
  assert_string_equal(sl_grouped(999, text), "999");
  assert_string_equal(sl_grouped(1000, text), "1,000");
  assert_string_equal(sl_grouped(UINT64_MAX, text), "18,446,744,073,709,551,615");
}

static void commits_have_a_stable_format(void **state)
{
  (void)state;
  const struct sl_insn addi = sl_decode(0x00158513, SL_ISA_I), store = sl_decode(0x00a5a223, SL_ISA_I);
  const uint32_t values[4] = {1, 0xdeadbeef, 3, 0xffffffff};
  struct sl_trace_file file;
  struct sl_commit_choice choice;
  struct sl_commits commits;
  char text[512], path[32];
  open_trace(&file, path);
  assert_int_equal(sl_commit_choose(&choice, NULL, NULL, NULL), SL_OK);
  sl_commits_begin(&commits, &file, &choice, NULL);
  sl_commits_write(
      &commits,
      &(struct sl_probe){
          .cycle = 7, .warp = 2, .active = 0xb, .pc = 0x8000400, .insn = &addi, .values = values, .lanes = 4});
  sl_commits_write(&commits, &(struct sl_probe){
                                 .cycle = 12, .launch = 1, .active = 0xf, .pc = 0x8000404, .insn = &store, .lanes = 8});
  sl_commits_end(&commits);
  assert_string_equal(close_trace(&file, path, text, sizeof text),
                      "# simtlab commits 2: cycle warp mask pc instruction [register=values]\n"
                      "launch 0\n"
                      "7 2 b 08000400 addi a0,a1,1 a0=00000001,deadbeef,ffffffff\n"
                      "launch 1\n"
                      "12 0 0f 08000404 sw a0,4(a1)\n"
                      "# end: 2 instructions\n");
}

/* Bits: which of the cycles 0 to 9 of warp 0, and of the warps 0 to 9 in cycle 0, have lines. */
static void chosen(const char *window, const char *warps, unsigned *cycles, unsigned *numbers)
{
  const struct sl_insn insn = sl_decode(0x00158513, SL_ISA_I);
  struct sl_trace_file file;
  struct sl_commit_choice choice;
  struct sl_commits commits;
  char text[2048], path[32];
  open_trace(&file, path);
  assert_int_equal(sl_commit_choose(&choice, window, warps, NULL), SL_OK);
  sl_commits_begin(&commits, &file, &choice, NULL);
  *cycles = *numbers = 0;
  for (unsigned i = 0; i < 20; i++) {
    const uint64_t before = commits.count;
    const struct sl_probe probe = {.cycle = i < 10 ? i : 0, .warp = i < 10 ? 0 : i - 10, .insn = &insn, .lanes = 4};
    assert_true(sl_commits_write(&commits, &probe));
    if (commits.count != before)
      *(i < 10 ? cycles : numbers) |= 1u << i % 10;
  }
  close_trace(&file, path, text, sizeof text);
}

static void a_window_and_warps_choose_commits(void **state)
{
  (void)state;
  unsigned cycles, numbers;
  chosen("3:5", NULL, &cycles, &numbers);
  assert_int_equal(cycles, 0x38);
  assert_int_equal(numbers, 0);
  chosen(":2", NULL, &cycles, &numbers);
  assert_int_equal(cycles, 0x7);
  chosen("8:", NULL, &cycles, &numbers);
  assert_int_equal(cycles, 0x300);
  chosen(NULL, "1,4-6,9", &cycles, &numbers);
  assert_int_equal(cycles, 0);
  assert_int_equal(numbers, 0x272);
  chosen("0:0", "0", &cycles, &numbers);
  assert_int_equal(cycles, 1);
  assert_int_equal(numbers, 1);
}

static void refuses_empty_selections(void **state)
{
  (void)state;
  static const char *const windows[] = {"", "5", "5:4", "a:b", "1:2:3", "1:2 ", "-1:2", "1:99999999999999999999"};
  static const char *const warps[] = {"", "a", "1,", ",1", "1-", "3-2", "-", "8192", "1 2"};
  struct sl_commit_choice choice;
  struct sl_error err;
  for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
    assert_int_equal(sl_commit_choose(&choice, windows[i], NULL, &err), SL_USAGE);
    assert_non_null(strstr(err.text, "a window of cycles is FROM:TO"));
  }
  for (size_t i = 0; i < sizeof warps / sizeof warps[0]; i++) {
    assert_int_equal(sl_commit_choose(&choice, NULL, warps[i], &err), SL_USAGE);
    assert_non_null(strstr(err.text, "warps are numbers"));
  }
}

static void totals_are_sums_or_maxima(void **state)
{
  (void)state;
  static const struct sl_counter table[] = {{.name = "a", .role = SL_COUNTER_CYCLES},
                                            {.name = "b", .role = SL_COUNTER_GREATEST},
                                            {.name = "c", .role = SL_COUNTER_THREAD_INSTRUCTIONS},
                                            {.name = "d", .role = SL_COUNTER_STALL_REASON, .cause = "memory"}};
  static const struct sl_counters counters = {table, 4};
  const struct sl_machine machine = {.name = "test", .counters = &counters};
  const struct sl_launch launches[] = {{.counters = {10, 5, 40, 1}}, {.counters = {30, 3, 40, 2}}};
  struct sl_figures figures = sl_figures_of(&machine, launches, 2);
  assert_int_equal(figures.cycles, 40);
  assert_int_equal(figures.thread_instructions, 80);
  assert_false(figures.dram_beats.known);
  assert_false(figures.retries.known);
  assert_true(figures.ipc == 2);
  assert_int_equal(sl_counter_total(&machine, 1, launches, 2), 5);
  assert_int_equal(sl_role_total(&machine, SL_COUNTER_STALL_REASON, launches, 2).value, 3);
  assert_true(sl_rate(5, 0) == 0);
}

/* Roles, not names, decide: a level is not a sum, parts of a figure are summed, a figure without counters is unknown.
 */
static void figures_are_found_by_role(void **state)
{
  (void)state;
  static const struct sl_counter table[] = {{.name = "max_retries", .role = SL_COUNTER_RETRIES},
                                            {.name = "read", .role = SL_COUNTER_DRAM_LINES},
                                            {.name = "written", .role = SL_COUNTER_DRAM_LINES},
                                            {.name = "dram_beats"}};
  static const struct sl_counters counters = {table, 4};
  const struct sl_machine machine = {.name = "test", .counters = &counters};
  const struct sl_launch launches[] = {{.counters = {1, 10, 100, 1}}, {.counters = {2, 20, 200, 1}}};
  const struct sl_figures figures = sl_figures_of(&machine, launches, 2);
  assert_int_equal(figures.retries.value, 3);
  assert_int_equal(figures.dram_lines.value, 330);
  assert_false(figures.dram_beats.known);
}

/* Every machine counts its cycles and thread instructions once, and all cycles by stall reason. */
static void machines_give_their_counters_roles(void **state)
{
  (void)state;
  for (const struct sl_machine *const *m = sl_machines; *m != NULL; m++) {
    unsigned of_role[SL_COUNTER_DRAM_LINES + 1] = {0};
    for (size_t i = 0; i < (*m)->counters->count; i++) {
      const struct sl_counter *counter = &(*m)->counters->counter[i];
      size_t found;
      of_role[counter->role]++;
      assert_int_equal(counter->role == SL_COUNTER_STALL_REASON, counter->cause != NULL);
      assert_true(sl_counter_find(*m, counter->name, &found) && found == i);
    }
    assert_int_equal(of_role[SL_COUNTER_CYCLES], 1);
    assert_int_equal(of_role[SL_COUNTER_WARP_INSTRUCTIONS], 1);
    assert_int_equal(of_role[SL_COUNTER_THREAD_INSTRUCTIONS], 1);
    assert_true(of_role[SL_COUNTER_STALL_REASON] > 1);
  }
}

static void geometric_means_skip_missing_values(void **state)
{
  (void)state;
  size_t index;
  static const struct sl_counter table[] = {{.name = "cycles"}, {.name = "retries"}};
  static const struct sl_counters counters = {table, 2};
  const struct sl_machine machine = {.counters = &counters};
  assert_true(fabs(sl_geometric_mean((const double[]){2, 8}, 2) - 4) < 1e-12);
  assert_true(fabs(sl_geometric_mean((const double[]){1.5}, 1) - 1.5) < 1e-12);
  assert_true(sl_geometric_mean((const double[]){2, 0}, 2) == 0);
  assert_true(sl_geometric_mean(NULL, 0) == 0);
  assert_true(sl_counter_find(&machine, "retries", &index));
  assert_int_equal(index, 1);
  assert_false(sl_counter_find(&machine, "retry", &index));
}

/* Runs a host program of two instructions, "li a0, STATUS; csrw 0x801, a0" (end), and returns the JSON of the run. */
static json_t *run_report(unsigned status)
{
  struct image image = make_image();
  const uint32_t code[] = {0x00000513 | status << 20, 0x80151073};
  memcpy(image.code, code, sizeof code);
  struct sl_config config;
  struct sl_program *program;
  struct sl_device *device;
  struct sl_error err = {0};
  const struct sl_device_options options = {0};
  assert_int_equal(sl_config_open(&config, "simtight", &err), SL_OK);
  assert_int_equal(sl_program_parse("x.elf", &image, sizeof image, &program, &err), SL_OK);
  assert_int_equal(sl_device_create(&config, &options, &device, &err), SL_OK);
  assert_int_equal(sl_device_load(device, program, 1, (const char *const[]){"x.elf"}, &err), SL_OK);
  assert_int_equal(sl_device_run(device, &err), SL_OK);
  const struct sl_report report = {
      .version = "test", .config = &config, .program = program, .device = device, .error = &err};
  json_t *json = sl_report_json(&report);
  sl_device_destroy(device);
  sl_program_free(program);
  sl_config_close(&config);
  return json;
}

static void runs_state_their_schema(void **state)
{
  (void)state;
  json_t *json = run_report(0);
  assert_non_null(json);
  assert_int_equal(json_integer_value(json_object_get(json, "schema")), 1);
  assert_string_equal(json_string_value(json_object_get(json, "outcome")), "passed");
  assert_string_equal(json_string_value(json_object_get(json, "mode")), "cycle");
  assert_int_equal(json_array_size(json_object_get(json, "launches")), 0);
  const json_t *keys = json_object_get(json_object_get(json, "machine"), "keys");
  assert_int_equal(json_integer_value(json_object_get(keys, "lanes")), 32);
  assert_true(json_is_false(json_object_get(keys, "fpu")));
  assert_string_equal(json_string_value(json_object_get(keys, "divider")), "sequential");
  const json_t *cycles = json_object_get(json_object_get(json_object_get(json, "totals"), "counters"), "cycles");
  assert_string_equal(json_string_value(json_object_get(cycles, "unit")), "cycles");
  json_decref(json);
  json = run_report(3);
  assert_string_equal(json_string_value(json_object_get(json, "outcome")), "check failed");
  assert_int_equal(json_integer_value(json_object_get(json, "status")), 3);
  json_decref(json);
}

static void only_host_figures_differ_between_runs(void **state)
{
  (void)state;
  json_t *a = run_report(0), *b = run_report(0);
  assert_int_equal(json_object_del(a, "host"), 0);
  assert_int_equal(json_object_del(b, "host"), 0);
  assert_true(json_equal(a, b));
  json_decref(a);
  json_decref(b);
}

static void json_is_saved_or_an_error(void **state)
{
  (void)state;
  struct sl_error err = {0};
  assert_int_equal(sl_json_save(json_pack("{si}", "schema", 1), "/dev/full", &err), SL_USAGE);
  assert_int_equal(sl_json_save(json_object(), "/nonexistent/file", &err), SL_USAGE);
  assert_int_equal(sl_json_save(NULL, "/dev/null", &err), SL_INTERNAL);
  assert_int_equal(sl_json_save(json_object(), "/dev/null", &err), SL_OK);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(full_disk_is_an_error),
      cmocka_unit_test(tables_align),
      cmocka_unit_test(numbers_are_grouped),
      cmocka_unit_test(commits_have_a_stable_format),
      cmocka_unit_test(a_window_and_warps_choose_commits),
      cmocka_unit_test(refuses_empty_selections),
      cmocka_unit_test(totals_are_sums_or_maxima),
      cmocka_unit_test(figures_are_found_by_role),
      cmocka_unit_test(machines_give_their_counters_roles),
      cmocka_unit_test(geometric_means_skip_missing_values),
      cmocka_unit_test(runs_state_their_schema),
      cmocka_unit_test(only_host_figures_differ_between_runs),
      cmocka_unit_test(json_is_saved_or_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
