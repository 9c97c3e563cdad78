/* Runs a memory image on a Simty core and thread by thread, and compares the final memory. */
#ifndef SL_TESTS_COMPARE_H
#define SL_TESTS_COMPARE_H

#include <stdio.h>
#include <stdlib.h>

#include "device/engine/engine.h"
#include "interpreter.h"
#include "machine/machine.h"
#include "machine/simty/simty_sm.h"
#include "mem/memory.h"

struct image {
  uint8_t *bytes;
  uint32_t size, code_end, entry; /* code is below code_end */
};

enum { CORE_LIMIT = 20000000 };

static inline uint64_t core_counter(const struct sl_simty_core *sm, const char *name)
{
  for (size_t i = 0; i < sl_simty.counters->count; i++)
    if (strcmp(sl_simty.counters->counter[i].name, name) == 0)
      return sl_simty.view.counter(&sm->base, i);
  return UINT64_MAX;
}

/* Runs each thread alone; leaves their results in the image. False: one of them is lost. */
static inline bool run_threads(struct image *image, const struct sl_simty_spec *spec, uint64_t *executed)
{
  *executed = 0;
  for (uint32_t hart = 0; hart < spec->lanes * spec->warps; hart++) {
    struct thread t = {.memory = image->bytes, .bytes = image->size, .hart = hart};
    run_thread(&t, image->entry, spec->done_base);
    *executed += t.executed;
    if (t.wrong) {
      fprintf(stderr, "the program itself is wrong: hart %u at 0x%x\n", hart, t.pc);
      return false;
    }
  }
  return true;
}

/* Runs the image on a core. False, with a message: it does not succeed. */
static inline bool run_core(struct image *image, const struct sl_simty_spec *spec, bool fast, const char *name)
{
  struct sl_memory memory;
  struct sl_error err;
  struct sl_simty_core *sm = NULL;
  const struct sl_sm_environment environment = {.memory = &memory};
  if (sl_simty.check(spec, &err) != SL_OK || sl_memory_init(&memory, 0, &err) != SL_OK ||
      sl_simty.life.create(spec, &environment, (struct sl_sm **)&sm, &err) != SL_OK) {
    fprintf(stderr, "%s: %s\n", name, err.text);
    return false;
  }
  sl_memory_write(&memory, 0, image->bytes, image->size);
  for (uint32_t at = 0; at < image->code_end; at += 4)
    sl_simty.life.write_instruction(&sm->base, at, sl_memory_load(&memory, at, 4));
  sl_simty.life.start(&sm->base, image->entry, 0, 0);
  const enum sl_sm_state state = sl_engine_run(sl_engine_of(fast), &sm->base, CORE_LIMIT);
  const struct sl_fault *fault = sl_simty.view.fault(&sm->base);
  const char *broken = sl_simty_broken(sm);
  if (state != SL_SM_DONE)
    fprintf(stderr, "%s: %s at 0x%x, fault %d %s\n", name, state == SL_SM_RUNNING ? "never ends" : "faults", fault->pc,
            fault->kind, fault->detail ? fault->detail : "");
  else if (broken != NULL)
    fprintf(stderr, "%s: %s\n", name, broken);
  sl_memory_read(&memory, 0, image->bytes, image->size);
  sl_simty.life.destroy(&sm->base);
  sl_memory_free(&memory);
  return state == SL_SM_DONE && broken == NULL;
}

/* Whether a program leaves the same memory on a core, timed and functional, as thread by thread. */
static inline bool agrees(const struct image *image, const struct sl_simty_spec *spec, const char *name)
{
  struct image expected = *image, got = *image;
  uint64_t executed;
  expected.bytes = malloc(image->size);
  got.bytes = malloc(image->size);
  memcpy(expected.bytes, image->bytes, image->size);
  bool good = run_threads(&expected, spec, &executed);
  for (int fast = 0; fast < 2 && good; fast++) {
    memcpy(got.bytes, image->bytes, image->size);
    good = run_core(&got, spec, fast, name);
    for (uint32_t i = 0; i < image->size && good; i += 4)
      if (memcmp(expected.bytes + i, got.bytes + i, 4) != 0) {
        fprintf(stderr, "%s%s, %u x %u: memory differs at 0x%x\n", name, fast ? ", without timing" : "", spec->warps,
                spec->lanes, i);
        good = false;
      }
  }
  free(expected.bytes);
  free(got.bytes);
  return good;
}

#endif
