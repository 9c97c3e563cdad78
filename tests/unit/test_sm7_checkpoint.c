/* Checkpoints of launch scripts on sm7: an intact one resumes to the same checksums. One that was changed together with
 * its checksum is refused, or leads to a wrong run that ends within its limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/script.h"

static const char COLLECTORS[] = "registers.model=collectors", VOLTA[] = "registers.model=volta";

enum { LIMIT = 20000, SEVEN = 7 };

struct run {
  struct sl_gpu *gpu;
  struct sl_script script;
  struct sl_script_moment moment;
  struct sl_script_restored restored;
  const char *save, *restore; /* files, NULL: none */
  uint64_t save_at, sum;
  char text[3];
};

static enum sl_status begun(void *context, struct sl_script_player *player, struct sl_error *err)
{
  struct run *r = context;
  r->moment.player = player;
  return r->restore != NULL ? sl_script_restore(&r->restored, &r->moment, r->restore, err) : SL_OK;
}

static bool reached(void *context, const struct sl_ptx_under_way *launch, uint64_t now, uint64_t *next)
{
  struct run *r = context;
  struct sl_error err;
  *next = r->save != NULL && now < r->save_at ? r->save_at : UINT64_MAX;
  if (r->save == NULL || now < r->save_at)
    return true;
  strcpy(r->text, "{}");
  r->moment.text = r->text;
  return sl_script_save(&r->moment, launch, r->save, &err) == SL_OK;
}

static void summed(void *context, const char *buffer, uint64_t sum)
{
  struct run *r = context;
  (void)buffer;
  r->sum = r->sum * SEVEN + sum;
}

static enum sl_status play(struct run *r, const char *setting, const char *kernel, bool fast, struct sl_error *err)
{
  char path[512];
  struct sl_config config;
  snprintf(path, sizeof path, "%s/kernels/%s.s.launch", REFERENCE_FOLDER, kernel);
  assert_int_equal(sl_config_open(&config, "sm7-1", err), SL_OK);
  assert_int_equal(sl_config_set(&config, setting, err), SL_OK);
  const struct sl_gpu_options options = {.fast = fast, .limit = LIMIT, .bounds = {.reached = reached, .context = r}};
  assert_int_equal(sl_gpu_open(&r->gpu, &config, &options, err), SL_OK);
  assert_int_equal(sl_script_load(&r->script, path, err), SL_OK);
  r->moment = (struct sl_script_moment){.gpu = r->gpu};
  assert_int_equal(sl_script_hash(&r->script, 0, &r->moment.program, err), SL_OK);
  const struct sl_script_observer observer = {.begun = begun, .summed = summed, .context = r};
  const enum sl_status code = sl_script_perform(&r->script, r->gpu, NULL, &observer, err);
  if (r->restore != NULL)
    free(r->moment.text);
  sl_script_restored_free(&r->restored);
  sl_gpu_close(r->gpu);
  sl_script_free(&r->script);
  sl_config_close(&config);
  return code;
}

static const char *name_of(const char *what)
{
  static char names[2][64];
  char *name = names[what[0] == 'w'];
  snprintf(name, sizeof names[0], "/tmp/test_sm7_checkpoint.%d.%s", (int)getpid(), what);
  return name;
}

static uint64_t next_random(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

/* Changes a few bytes of the contents and updates the checksum. */
static void change(const char *from, const char *to, uint64_t *state)
{
  struct sl_checkpoint c;
  struct sl_error err;
  assert_int_equal(sl_checkpoint_read(&c, from, SIZE_MAX / 2, &err), SL_OK);
  for (uint64_t n = 1 + next_random(state) % 3; n > 0; n--) {
    uint8_t *byte = &c.bytes[next_random(state) % c.size];
    const uint64_t how = next_random(state);
    const uint64_t to_be[] = {UINT8_MAX, *byte + 1u, *byte ^ 1u << (how >> 8) % 8, how >> 8};
    *byte = (uint8_t)to_be[how % 4];
  }
  assert_int_equal(sl_checkpoint_write(&c, to, &err), SL_OK);
  sl_checkpoint_free(&c);
}

static void check_changes(const char *setting, const char *kernel, bool fast, uint64_t save_at)
{
  const char *brief = getenv("SIMTLAB_BRIEF");
  const unsigned changes = brief != NULL && *brief != '\0' ? 10 : 60;
  struct sl_error err;
  uint64_t state = save_at + 1;
  struct run whole = {.save = name_of("whole"), .save_at = save_at};
  assert_int_equal(play(&whole, setting, kernel, fast, &err), SL_OK);
  struct run rest = {.restore = name_of("whole")};
  assert_int_equal(play(&rest, setting, kernel, fast, &err), SL_OK);
  assert_true(rest.sum == whole.sum);
  for (unsigned i = 0; i < changes; i++) {
    struct run other = {.restore = name_of("changed")};
    change(name_of("whole"), name_of("changed"), &state);
    const enum sl_status code = play(&other, setting, kernel, fast, &err);
    assert_true(code == SL_OK || code == SL_USAGE || code == SL_FAULT || code == SL_LIMIT);
    assert_true(code == SL_OK || err.text[0] != '\0');
  }
  unlink(name_of("whole"));
  unlink(name_of("changed"));
}

static void a_damaged_checkpoint_stays_within_its_queues_and_tables(void **state)
{
  (void)state;
  check_changes(COLLECTORS, "reduce", false, 1500);
  check_changes(COLLECTORS, "scan", false, 2500);
  check_changes(VOLTA, "reduce", false, 1500);
}

static void a_damaged_functional_checkpoint_stays_within_its_tables(void **state)
{
  (void)state;
  check_changes(COLLECTORS, "reduce", true, 700);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_damaged_checkpoint_stays_within_its_queues_and_tables),
      cmocka_unit_test(a_damaged_functional_checkpoint_stays_within_its_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
