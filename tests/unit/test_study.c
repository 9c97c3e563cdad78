/* Study files: combinations, and one sentence with file and line for everything that is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lab/study/study.h"

static enum sl_status parse(struct sl_study *study, const char *text, struct sl_error *err)
{
  return sl_study_parse(study, "dir/s.yaml", text, strlen(text), NULL, err);
}

/* The values of a combination as text: machine, keys, program, size, seed. */
static void describe(const struct sl_study *study, uint64_t index, char text[400])
{
  char value[SL_STUDY_TEXT];
  const struct sl_study_point point = sl_study_point(study, index);
  const struct sl_study_program *program = &study->programs[point.program];
  strcpy(text, sl_study_value(&study->machines, point.machine, value));
  for (size_t i = 0; i < study->key_count; i++) {
    const struct sl_study_key *key = &study->keys[i];
    sprintf(text + strlen(text), " %s=%s", key->name, sl_study_value(&key->values, point.group[key->group], value));
  }
  sprintf(text + strlen(text), " %s", program->name);
  sprintf(text + strlen(text), " %s", sl_study_value(&program->sizes, point.size, value));
  sprintf(text + strlen(text), " %s", sl_study_value(&program->seeds, point.seed, value));
}

static void combines(void **state)
{
  static const char *const expected[] = {
      "simtight lanes=8 warps=2 fpu=true a small 1", "simtight lanes=8 warps=2 fpu=true a small 3",
      "simtight lanes=8 warps=2 fpu=true a paper 1", "simtight lanes=8 warps=2 fpu=true a paper 3",
      "simtight lanes=8 warps=2 fpu=true other  ",   "simtight lanes=16 warps=6 fpu=true a small 1",
  };
  struct sl_study study;
  struct sl_error err = {0};
  char text[400];
  (void)state;
  if (parse(&study,
            "study: mine\nmachines: [simtight, own.yaml]\nzip: [lanes, warps]\n"
            "keys: {lanes: {from: 8, to: 40, factor: 2}, warps: {from: 2, to: 10, step: 4}, fpu: true}\n"
            "programs:\n- elf: bin/a.elf\n  sizes: [small, paper]\n  seeds: {from: 1, to: 4, step: 2}\n"
            "- name: other\n  launch: /x/b.launch\n"
            "filters: [lanes * warps > 1]\nmetrics: {ipc: warps / cycles}\nmode: fast\nmax-cycles: 5\n",
            &err) != SL_OK)
    fail_msg("%s", err.text);
  assert_int_equal(study.points, 2 * 3 * 5);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    describe(&study, i, text);
    assert_string_equal(text, expected[i]);
  }
  describe(&study, 29, text);
  assert_string_equal(text, "dir/own.yaml lanes=32 warps=10 fpu=true other  ");
  assert_string_equal(study.programs[0].path, "dir/bin/a.elf");
  assert_string_equal(study.programs[0].arguments, "{size} {seed}");
  assert_string_equal(study.programs[1].path, "/x/b.launch");
  assert_true(study.fast && study.max_cycles == 5);
  sl_study_free(&study);
}

#define HEAD "study: s\nmachines: simtight\nprograms: [{elf: a.elf}]\n"

static void tells_line_and_remedy(void **state)
{
  static const struct {
    const char *text, *sentence;
  } cases[] = {
      {"", "dir/s.yaml:1: the file is empty"},
      {"[1, 2]", "dir/s.yaml:1: a study must be a mapping"},
      {"study: s\n", "the study has no 'machines: [MACHINE]'"},
      {"study: s\nmachines: m\n", "the study has no 'programs: [{elf: FILE}]'"},
      {HEAD "mashines:\n\n  - x\n", "dir/s.yaml:4: unknown name 'mashines' in a study; did you mean 'machines'?"},
      {HEAD "qqq: 1\n", "dir/s.yaml:4: unknown name 'qqq' in a study; there are study, about, machines, keys"},
      {HEAD "study: t\n", "dir/s.yaml:4: 'study' is given twice; the first time is line 1"},
      {HEAD "keys:\n  lanes: []\n", "dir/s.yaml:5: the list has no values"},
      {HEAD "keys:\n  lanes: {}\n", "dir/s.yaml:5: a range has 'from', 'to'"},
      {HEAD "keys:\n  lanes: {from: 4, to: 2}\n", "dir/s.yaml:5: the range from 4 to 2 has no values"},
      {HEAD "keys:\n  lanes: {from: 0, to: 2, factor: 2}\n", "dir/s.yaml:5: the range from 0 to 2 has no next value"},
      {HEAD "keys:\n  lanes: {from: 1, to: 2, step: 0}\n", "dir/s.yaml:5: a whole number from 1 belongs here, not '0'"},
      {HEAD "keys:\n  lanes: {from: 1, to: 2, stop: 1}\n",
       "dir/s.yaml:5: unknown name 'stop' in a range; did you mean 'step'?"},
      {HEAD "keys:\n  lanes:\n  - 1\n  - 1\n", "dir/s.yaml:7: the value '1' is given twice"},
      {HEAD "keys: {a: [1, 2], b: [1]}\nzip: [a, b]\n",
       "dir/s.yaml:5: keys that advance together have equally many values; 'a' has 2, 'b' has 1"},
      {HEAD "keys: {lanes: 1}\nzip: [lanse]\n",
       "'zip' names 'lanse', which 'keys' does not have; did you mean 'lanes'?"},
      {HEAD "metrics:\n  a: b\n  b: a + 1\n", "dir/s.yaml:5: metric 'a' uses itself: a -> b -> a"},
      {HEAD "metrics:\n  a: (1\n", "dir/s.yaml:5: column 3 of '(1': a ')' is missing"},
      {HEAD "filters: [\"\"]\n", "dir/s.yaml:4: a single value belongs here"},
      {HEAD "mode: slow\n", "dir/s.yaml:4: the mode is cycle or fast, not 'slow'"},
      {HEAD "keys: {a: {from: 1, to: 1000000000}}\n",
       "dir/s.yaml:1: the study has 1000000000 runs, more than its limit of 100000; take fewer values"},
      {HEAD "runs limit: 3\nkeys: {a: {from: 1, to: 4}}\n",
       "dir/s.yaml:4: the study has 4 runs, more than its limit of 3"},
      {HEAD "keys: {a: {from: 0, to: 18446744073709551615}, b: {from: 0, to: 18446744073709551615}, c: {from: 0, to: "
            "18446744073709551615}}\n",
       "dir/s.yaml:1: the study has more than 2^64 runs"},
      {HEAD "runs limit: 99999999999\n", "dir/s.yaml:4: the limit is at most 10000000"},
      {"study: s\nmachines: m\nprograms:\n- elf: a\n  launch: b\n", "dir/s.yaml:5: a program is one of"},
      {"study: s\nmachines: m\nprograms:\n- sizes: [1]\n", "dir/s.yaml:4: a program needs 'elf', 'launch'"},
      {"study: s\nmachines: m\nprograms:\n- launch: a\n  seeds: 1\n",
       "dir/s.yaml:4: a launch script takes no arguments"},
      {"study: s\nmachines: m\nprograms:\n- elf: a\n  arguments: x\n  sizes: [1]\n",
       "dir/s.yaml:6: the sizes change nothing: write {size} in 'arguments'"},
      {"study: s\nmachines: [a\n", "dir/s.yaml:3: not valid YAML"},
      {"study: s\n---\nstudy: t\n", "dir/s.yaml:2: a second document"},
      {"study: a/b\n", "dir/s.yaml:1: a name of 1 to 63 letters without '/'"},
      {"study: &x [*x]\n", "dir/s.yaml:1: a name of"},
      {"machines: &x [*x]\n", "dir/s.yaml:1: a value must be a single text"},
      {"study: s\nmachines: {name: a, base: m, name: b}\n", "dir/s.yaml:2: 'name' is given twice"},
      {"study: s\nmachines: [{name: [a], base: m}]\n", "dir/s.yaml:2: a name of 1 to 63 letters"},
      {"study: s\nmachines: [{name: a, base: [m]}]\n", "dir/s.yaml:2: a single value belongs here"},
      {"study: s\nmachines: []\n", "dir/s.yaml:2: the list has no values"},
      {"study: s\nmachines: m\nprograms: [{elf: a, keys: 3}]\n", "dir/s.yaml:3: 'keys' must be a mapping"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct sl_study study;
    struct sl_error err = {0};
    if (parse(&study, cases[i].text, &err) != SL_USAGE || strstr(err.text, cases[i].sentence) == NULL)
      fail_msg("'%s': %s", cases[i].text, err.text);
    sl_study_free(&study);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(combines), cmocka_unit_test(tells_line_and_remedy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
