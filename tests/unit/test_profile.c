/* The profile of a run from hand-made rows: sums, source lines, and its three output formats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "debug_image.h"
#include "observe/html.h"
#include "observe/json.h"
#include "observe/profile/profile.h"
#include "observe/report.h"

enum { KERNEL = CODE + 16, TAIL = CODE + 48, TEXT_SIZE = 1 << 16 };

/* Stall reasons of SIMTight. */
enum { ISSUED = 0, RETRIED = 1, MEMORY = 5, FINISHED = 9 };

static const char source_text[] = "first\n\tif (a < b && c) puts(\"<b>\\033\");\033[31m\nthird\nfourth\n";

/* A program of five instructions that ran for 100 cycles; the third source line is the hottest. */
struct fixture {
  char path[64];
  struct sl_program *program;
  struct sl_config config;
  struct sl_profile profile;
  struct sl_launch launch;
  struct sl_result result;
  struct sl_series series;
  struct sl_error outcome;
  struct sl_profile_report report;
};

static struct sl_profile_row *row(struct fixture *f, uint32_t address)
{
  return &f->profile.rows[(address - f->profile.code_base) / 4];
}

static void fill_rows(struct fixture *f)
{
  *row(f, KERNEL) = (struct sl_profile_row){.vector_issues = 4,
                                            .active_lanes = 64,
                                            .retries = 2,
                                            .transactions = 6,
                                            .scratchpad_requests = 2,
                                            .scratchpad_passes = 5,
                                            .scratchpad_least = 2,
                                            .operands = {1, 0, 3},
                                            .results = {0, 0, 4},
                                            .cycles = {[ISSUED] = 4, [RETRIED] = 2}};
  *row(f, KERNEL + 4) = (struct sl_profile_row){.vector_issues = 10,
                                                .scalar_issues = 30,
                                                .active_lanes = 1280,
                                                .operands = {30, 5, 5},
                                                .cycles = {[ISSUED] = 10, [MEMORY] = 50}};
  *row(f, KERNEL + 8) =
      (struct sl_profile_row){.vector_issues = 4, .active_lanes = 128, .transactions = 2, .cycles = {[ISSUED] = 14}};
  *row(f, KERNEL + 12) = (struct sl_profile_row){.cycles = {[FINISHED] = 5}};
  *row(f, TAIL) = (struct sl_profile_row){.vector_issues = 15, .active_lanes = 15, .cycles = {[ISSUED] = 15}};
}

static void load_program(struct fixture *f)
{
  static const uint32_t code[] = {0x0045a503, 0x00b50533, 0x00a5a023, 0x00008067};
  struct debug_image image;
  make_debug_image(&image, f->path);
  memcpy(image.image.code + (KERNEL - CODE), code, sizeof code);
  assert_int_equal(sl_program_parse("x<y>.elf", &image, sizeof image, &f->program, NULL), SL_OK);
}

static void make_report(struct fixture *f)
{
  const struct sl_profile_run run = {.version = "test",
                                     .config = &f->config,
                                     .program = f->program,
                                     .profile = &f->profile,
                                     .result = &f->result,
                                     .residency = &f->series,
                                     .error = &f->outcome};
  assert_int_equal(sl_profile_report_create(&f->report, &run, NULL), SL_OK);
}

static int setup(void **state)
{
  struct fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  strcpy(f->path, "/tmp/simtlab-<i>&'-XXXXXX");
  int descriptor = mkstemp(f->path);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, source_text, sizeof source_text - 1), sizeof source_text - 1);
  close(descriptor);
  load_program(f);
  assert_int_equal(sl_config_open(&f->config, "simtight-rfc-pp", NULL), SL_OK);
  const struct sl_soc soc = f->config.machine->soc(f->config.spec);
  assert_int_equal(sl_profile_create(&f->profile, &soc, f->program, NULL), SL_OK);
  fill_rows(f);
  f->launch.finished = true;
  f->result = (struct sl_result){.launch_count = 1, .launches = &f->launch};
  f->series = (struct sl_series){.period = 50, .count = 2, .value = {7, 3}};
  assert_string_equal(f->config.machine->counters->counter[0].name, "cycles");
  f->launch.counters[0] = 100;
  make_report(f);
  *state = f;
  return 0;
}

static int teardown(void **state)
{
  struct fixture *f = *state;
  sl_profile_report_free(&f->report);
  sl_profile_free(&f->profile);
  sl_config_close(&f->config);
  sl_program_free(f->program);
  unlink(f->path);
  free(f);
  return 0;
}

/* The output in one format. The caller frees it. */
static char *html_of(const struct sl_profile_report *report)
{
  char *text = calloc(1, TEXT_SIZE);
  FILE *file = tmpfile();
  assert_non_null(text);
  assert_int_equal(sl_profile_html(report, file, NULL), SL_OK);
  rewind(file);
  assert_true(fread(text, 1, TEXT_SIZE - 1, file) < TEXT_SIZE - 1);
  fclose(file);
  return text;
}

static char *text_of(const struct sl_profile_report *report, struct sl_profile_extent extent, const char *columns)
{
  setenv("COLUMNS", columns, 1);
  char *text = calloc(1, TEXT_SIZE);
  FILE *file = tmpfile();
  assert_non_null(text);
  assert_int_equal(sl_profile_print(report, &extent, file, NULL), SL_OK);
  rewind(file);
  assert_true(fread(text, 1, TEXT_SIZE - 1, file) < TEXT_SIZE - 1);
  fclose(file);
  return text;
}

static void every_cycle_is_in_one_row(void **state)
{
  const struct fixture *f = *state;
  uint64_t lines = 0, insns = 0, causes = 0;
  for (size_t i = 0; i < f->report.line_count; i++)
    lines += f->report.lines[i].sum.cycles;
  for (size_t i = 0; i < f->report.insn_count; i++)
    insns += f->report.insns[i].sum.cycles;
  for (size_t c = 0; c < SL_MAX_STALL_REASONS; c++)
    causes += f->report.total.row.cycles[c];
  assert_int_equal(lines, 100);
  assert_int_equal(insns, 100);
  assert_int_equal(causes, 100);
  assert_int_equal(f->report.total.cycles, 100);
  assert_int_equal(sl_profile_check(&f->report, NULL), SL_OK);
}

static void a_lost_cycle_is_an_internal_error(void **state)
{
  struct fixture *f = *state;
  struct sl_error err = {0};
  f->report.figures.cycles = 101;
  assert_int_equal(sl_profile_check(&f->report, &err), SL_INTERNAL);
  assert_non_null(strstr(err.text, "accounts for 100 cycles where the kernels took 101"));
}

static void an_interrupted_launch_may_lack_cycles(void **state)
{
  struct fixture *f = *state;
  f->report.figures.cycles = 101;
  f->report.launches[0].finished = false;
  assert_int_equal(sl_profile_check(&f->report, NULL), SL_OK);
}

static void instructions_are_grouped_by_source_line(void **state)
{
  const struct fixture *f = *state;
  assert_int_equal(f->report.insn_count, 5);
  assert_int_equal(f->report.line_count, 4);
  const struct sl_profile_line *line = &f->report.lines[1];
  assert_string_equal(line->at.file, f->path);
  assert_int_equal(line->at.line, 2);
  assert_int_equal(line->count, 2);
  assert_int_equal(line->by_address[0]->pc, KERNEL);
  assert_int_equal(line->by_address[1]->pc, KERNEL + 8);
  assert_int_equal(line->sum.cycles, 20);
  assert_int_equal(line->sum.issues, 8);
  assert_int_equal(line->sum.accesses, 8);
  assert_int_equal(line->sum.row.transactions, 8);
  assert_int_equal(line->sum.row.active_lanes, 192);
  assert_int_equal(line->sum.row.operands[SL_GENERAL], 3);
  assert_int_equal(sl_bank_conflicts(&line->sum.row), 3);
  assert_int_equal(line->by_address[0]->line, 1);
}

static void without_a_source_line_the_function_counts(void **state)
{
  const struct fixture *f = *state;
  char name[SL_LINE_NAME];
  const struct sl_profile_line *line = &f->report.lines[0];
  assert_null(line->at.file);
  assert_string_equal(sl_profile_line_name(&line->at, name), "tail, no source line known");
  assert_int_equal(line->sum.cycles, 15);
}

static void the_hottest_come_first(void **state)
{
  const struct fixture *f = *state;
  const uint64_t cycles[] = {60, 20, 15, 5};
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(f->report.hottest[i]->sum.cycles, cycles[i]);
  assert_int_equal(f->report.hottest[0]->at.line, 3);
  assert_int_equal(f->report.hottest[1]->by_cycles[0]->pc, KERNEL + 8);
  assert_int_equal(f->report.hottest[1]->by_cycles[1]->pc, KERNEL);
}

static void a_run_without_kernels_has_a_profile(void **state)
{
  struct fixture *f = *state;
  sl_profile_report_free(&f->report);
  memset(f->profile.rows, 0, f->profile.count * sizeof *f->profile.rows);
  f->result.launch_count = 0;
  make_report(f);
  assert_int_equal(f->report.line_count, 0);
  assert_int_equal(sl_profile_check(&f->report, NULL), SL_OK);
  free(text_of(&f->report, (struct sl_profile_extent){10, 10, false}, "120"));
  free(html_of(&f->report));
  json_t *json = sl_profile_json(&f->report);
  assert_non_null(json);
  json_decref(json);
}

static void text_shows_source_and_instructions(void **state)
{
  const struct fixture *f = *state;
  char *text = text_of(&f->report, (struct sl_profile_extent){SIZE_MAX, SIZE_MAX, false}, "120");
  assert_non_null(strstr(text, "x<y>.elf on simtight-rfc-pp: passed"));
  assert_non_null(strstr(text, "where 100 of 100 cycles went: issued 43.0 %"));
  assert_non_null(strstr(text, "\n        60   60.0                       40   32.0  75/13/12   75.0   16.7  "
                               "memory 83 %     8000414 add a0,a0,a1\n"));
  assert_non_null(strstr(text, ":2  if (a < b && c)"));
  assert_non_null(strstr(text, "4 of 4 source lines, with 100.0 % of the cycles"));
  free(text);
}

static void text_has_the_requested_length(void **state)
{
  const struct fixture *f = *state;
  char *text = text_of(&f->report, (struct sl_profile_extent){2, 1, false}, "120");
  assert_non_null(strstr(text, "2 of 4 source lines, with 80.0 % of the cycles"));
  assert_non_null(strstr(text, "all 2 instructions"));
  assert_non_null(strstr(text, "8000418 sw a0,0(a1)"));
  assert_null(strstr(text, "8000410 lw"));
  assert_null(strstr(strstr(text, "cycles  share"), "tail"));
  free(text);
}

static void text_fits_and_escapes_the_source(void **state)
{
  const struct fixture *f = *state;
  for (size_t columns = 80; columns <= 120; columns += 40) {
    char *text =
        text_of(&f->report, (struct sl_profile_extent){SIZE_MAX, SIZE_MAX, false}, columns == 80 ? "80" : "120");
    assert_null(strchr(text, '\033'));
    assert_int_equal(strstr(text, "\nwithout room in 80 columns: issues") != NULL, columns == 80);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
      assert_in_range(strlen(line), 0, columns);
      assert_int_not_equal(line[strlen(line) - 1], ' ');
    }
    free(text);
  }
}

static void html_text_is_escaped(void **state)
{
  (void)state;
  char text[128];
  FILE *file = tmpfile();
  sl_html_text(file, "<a href=\"x\">&'b'\xc3\xa4");
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  assert_string_equal(text, "&lt;a href=&quot;x&quot;&gt;&amp;&#39;b&#39;\xc3\xa4");
  fclose(file);
}

static void html_escapes_names_and_source(void **state)
{
  const struct fixture *f = *state;
  char *html = html_of(&f->report);
  assert_non_null(strstr(html, "<title>Profile of x&lt;y&gt;.elf on simtight-rfc-pp</title>"));
  assert_non_null(strstr(html, "if (a &lt; b &amp;&amp; c) puts(&quot;&lt;b&gt;"));
  assert_non_null(strstr(html, "/tmp/simtlab-&lt;i&gt;&amp;&#39;-"));
  assert_null(strstr(html, "<y>"));
  assert_null(strstr(html, "<i>"));
  free(html);
}

static void html_is_self_contained(void **state)
{
  const struct fixture *f = *state;
  static const char *const references[] = {"http:", "https:", "src=", "<link", "@import", "url("};
  char *html = html_of(&f->report);
  for (size_t i = 0; i < sizeof references / sizeof references[0]; i++)
    assert_null(strstr(html, references[i]));
  assert_true(strncmp(html, "<!DOCTYPE html>", 15) == 0);
  assert_non_null(strstr(html, "</html>"));
  free(html);
}

static void html_annotates_the_source(void **state)
{
  const struct fixture *f = *state;
  char *html = html_of(&f->report);
  const char *first = strstr(html, "<td class=\"code\">first"), *second = strstr(html, "<tr id=\"l1\"");
  const char *third = strstr(html, "<tr id=\"l2\" class=\"heat\" style=\"--h:0.550\"");
  assert_non_null(first);
  assert_true(first < second && second < third);
  assert_non_null(strstr(third, "title=\"issued 16.7 % (10), memory 83.3 % (50)\""));
  assert_non_null(strstr(third, "title=\"uniform 75.0 % (30), affine 12.5 % (5), general 12.5 % (5)\""));
  assert_non_null(strstr(third, "add a0,a0,a1"));
  free(html);
}

/* The file holds 512: a sample is in the middle of its half of the 700 units to the right of 76; its height is of the
 * 180 below 16. */
static void html_plots_the_registers_of_every_launch(void **state)
{
  struct fixture *f = *state;
  char *html = html_of(&f->report);
  assert_null(strstr(html, "Vector registers in use"));
  free(html);
  struct sl_residency residency = {0};
  sl_residency_add(&residency, 3, KERNEL, &f->series);
  f->report.run.launches = &residency;
  html = html_of(&f->report);
  assert_non_null(strstr(html, "<polyline class=\"line\" points=\"251.0,193.5 601.0,194.9\"/>"));
  assert_non_null(strstr(html, "room for 512"));
  assert_null(strstr(html, "<select"));
  free(html);
  for (size_t i = 0; i < SL_RESIDENCY_LAUNCHES + 1; i++)
    sl_residency_add(&residency, 4 + i, KERNEL, &f->series);
  assert_int_equal(residency.count, SL_RESIDENCY_LAUNCHES);
  assert_int_equal(residency.left_out, 2);
  residency.count = 2;
  residency.left_out = 0;
  html = html_of(&f->report);
  assert_non_null(strstr(html, "<select data-for=\"registers\"><option value=\"3\">3: kernel</option>"));
  assert_non_null(strstr(html, "<option value=\"4\" selected>4: kernel</option>"));
  assert_non_null(strstr(html, "data-launch=\"3\" style=\"display:none\""));
  free(html);
  sl_residency_free(&residency);
}

static void html_legend_lists_occurring_stall_reasons(void **state)
{
  const struct fixture *f = *state;
  char *html = html_of(&f->report);
  const char *key = strstr(html, "<p class=\"key\">Cycles:");
  assert_non_null(key);
  *strstr(key, "</p>") = '\0';
  const char *const occur[] = {">issued<", ">retried<", ">memory<", ">finished<"};
  for (size_t i = 0; i < sizeof occur / sizeof occur[0]; i++)
    assert_non_null(strstr(key, occur[i]));
  assert_null(strstr(key, ">barrier<"));
  assert_null(strstr(key, ">spill<"));
  free(html);
}

static json_int_t number(const json_t *object, const char *name)
{
  assert_true(json_is_integer(json_object_get(object, name)));
  return json_integer_value(json_object_get(object, name));
}

static void json_has_a_schema(void **state)
{
  const struct fixture *f = *state;
  json_t *json = sl_profile_json(&f->report);
  assert_int_equal(number(json, "schema"), 1);
  assert_string_equal(json_string_value(json_object_get(json, "simtlab")), "test");
  assert_string_equal(json_string_value(json_object_get(json, "outcome")), "passed");
  const json_t *totals = json_object_get(json, "totals");
  assert_int_equal(number(totals, "cycles"), 100);
  assert_int_equal(number(totals, "kernel_cycles"), 100);
  assert_int_equal(json_array_size(json_object_get(json, "lines")), 4);
  assert_int_equal(json_array_size(json_object_get(json, "instructions")), 5);
  const json_t *series = json_object_get(json, "vector_registers_over_time");
  assert_int_equal(number(series, "cycles_per_sample"), 50);
  assert_int_equal(json_integer_value(json_array_get(json_object_get(series, "most_in_use"), 0)), 7);
  json_decref(json);
}

static void json_names_every_counter(void **state)
{
  const struct fixture *f = *state;
  json_t *json = sl_profile_json(&f->report);
  const json_t *insn = json_array_get(json_object_get(json, "instructions"), 0);
  assert_string_equal(json_string_value(json_object_get(insn, "pc")), "0x08000410");
  assert_string_equal(json_string_value(json_object_get(insn, "disassembly")), "lw a0,4(a1)");
  assert_string_equal(json_string_value(json_object_get(insn, "function")), "kernel");
  assert_int_equal(number(insn, "line"), 2);
  assert_int_equal(number(insn, "cycles"), 6);
  assert_int_equal(number(insn, "retries"), 2);
  assert_int_equal(number(insn, "dram_transactions"), 6);
  assert_int_equal(number(insn, "bank_conflicts"), 3);
  assert_int_equal(number(json_object_get(insn, "operands"), "general"), 3);
  assert_int_equal(number(json_object_get(insn, "cycles_by_cause"), "retried"), 2);
  const json_t *tail = json_array_get(json_object_get(json, "instructions"), 4);
  assert_true(json_is_null(json_object_get(tail, "file")));
  assert_true(json_is_null(json_object_get(tail, "line")));
  json_decref(json);
}

/* The same rows with another machine. */
static void profile_as(struct fixture *f, const char *machine)
{
  sl_config_close(&f->config);
  assert_int_equal(sl_config_open(&f->config, machine, NULL), SL_OK);
}

static void columns_depend_on_the_machine(void **state)
{
  struct fixture *f = *state;
  profile_as(f, "simtight");
  assert_true(sl_profile_has(&f->report, 0));
  assert_true(sl_profile_has(&f->report, SL_PROFILE_DRAM));
  assert_false(sl_profile_has(&f->report, SL_PROFILE_SCALAR));
  assert_false(sl_profile_has(&f->report, SL_PROFILE_SPILLS));
  profile_as(f, "vortex");
  char *text = text_of(&f->report, (struct sl_profile_extent){SIZE_MAX, SIZE_MAX, false}, "120"),
       *html = html_of(&f->report);
  const char *const absent[] = {"u/a/g", "register operands",   "results", "retries", "scalar",
                                "spill", "memory transactions", "trans/"};
  for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
    assert_null(strstr(text, absent[i]));
    assert_null(strstr(strstr(html, "</style>"), absent[i]));
  }
  assert_non_null(strstr(text, "8 lines requested from the data cache"));
  assert_non_null(
      strstr(html, "<th title=\"lines requested from the data cache per load, store or atomic\">lines/access</th>"));
  free(text);
  free(html);
  json_t *json = sl_profile_json(&f->report), *totals = json_object_get(json, "totals");
  assert_null(json_object_get(totals, "retries"));
  assert_null(json_object_get(totals, "dram_transactions"));
  assert_int_equal(number(totals, "cache_lines"), 8);
  json_decref(json);
}

/* On the machine for stream studies, waits for streams are waits neither for memory nor for the pipeline. */
static void causes_depend_on_the_machine(void **state)
{
  struct fixture *f = *state;
  profile_as(f, "vortex");
  const struct sl_stall_reasons *causes = sl_profile_stall_reasons(&f->report);
  bool stream = false, operands = false;
  for (size_t i = 0; i < causes->count; i++) {
    stream |= strcmp(causes->cause[i].name, "stream") == 0;
    operands |= strcmp(causes->cause[i].name, "operands") == 0;
  }
  assert_true(stream && operands);
  json_t *json = sl_profile_json(&f->report);
  const json_t *cycles = json_object_get(json_object_get(json, "totals"), "cycles_by_cause");
  assert_int_equal(json_object_size(cycles), causes->count);
  assert_int_equal(number(cycles, "issued"), 43);
  json_decref(json);
}

/* A machine's stall reasons and its counters of cycles by stall reason are the same list. */
static void causes_are_counted(void **state)
{
  (void)state;
  for (const struct sl_machine *const *m = sl_machines; *m != NULL; m++) {
    size_t cause = 0;
    for (size_t i = 0; i < (*m)->counters->count; i++)
      if ((*m)->counters->counter[i].role == SL_COUNTER_STALL_REASON)
        assert_string_equal((*m)->counters->counter[i].cause, (*m)->causes->cause[cause++].name);
    assert_int_equal(cause, (*m)->causes->count);
    assert_string_equal((*m)->causes->cause[0].name, "issued");
  }
}

static void any_text_gives_valid_json(void **state)
{
  (void)state;
  json_t *json = sl_json_text("a\xff\xc3\xa4");
  assert_string_equal(json_string_value(json), "a???");
  json_decref(json);
  json = sl_json_text("\xc3\xa4");
  assert_string_equal(json_string_value(json), "\xc3\xa4");
  json_decref(json);
  assert_true(json_is_null(sl_json_text(NULL)));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(every_cycle_is_in_one_row),
      TEST(a_lost_cycle_is_an_internal_error),
      TEST(an_interrupted_launch_may_lack_cycles),
      TEST(instructions_are_grouped_by_source_line),
      TEST(without_a_source_line_the_function_counts),
      TEST(the_hottest_come_first),
      TEST(a_run_without_kernels_has_a_profile),
      TEST(text_shows_source_and_instructions),
      TEST(text_has_the_requested_length),
      TEST(text_fits_and_escapes_the_source),
      cmocka_unit_test(html_text_is_escaped),
      TEST(html_escapes_names_and_source),
      TEST(html_is_self_contained),
      TEST(html_annotates_the_source),
      TEST(html_plots_the_registers_of_every_launch),
      TEST(html_legend_lists_occurring_stall_reasons),
      TEST(json_has_a_schema),
      TEST(json_names_every_counter),
      TEST(columns_depend_on_the_machine),
      TEST(causes_depend_on_the_machine),
      cmocka_unit_test(causes_are_counted),
      cmocka_unit_test(any_text_gives_valid_json),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
