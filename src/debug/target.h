/* What gdb sees of the machine: threads, registers and memory. Thread 1 is the host CPU; lane l of warp w is thread
 * 2 + w * lanes + l. */
#ifndef SL_DEBUG_TARGET_H
#define SL_DEBUG_TARGET_H

#include "debug/remote.h"
#include "debug/replay.h"

enum { SL_THREAD_HOST = 1, SL_THREAD_LANES = 2, SL_THREADS_LISTED = 4096 };

/* Register numbers of the target description. The machine's own are above gdb's numbers of CSRs. */
enum {
  SL_REG_PC = 32,
  SL_REG_OWN = 4200,
  SL_REG_WARP = SL_REG_OWN,
  SL_REG_LANE,
  SL_REG_BLOCK,
  SL_REG_MASK,
  SL_REG_PATHS,
  SL_REG_STATE,
  SL_REG_CYCLE,
  SL_REG_OWN_END,
  SL_REG_MORE = 4300 /* registers 32 and above of 64-bit instruction words */
};

enum sl_threads_shown { SL_THREADS_AUTO, SL_THREADS_ALL, SL_THREADS_WARPS, SL_THREADS_ACTIVE };

struct sl_target {
  struct sl_replay *replay;
  const struct sl_program *program;
  unsigned lanes, warps;
  bool has_host;
  enum sl_threads_shown shown;
};

struct sl_target sl_target_of(struct sl_replay *replay, const struct sl_program *program);

bool sl_is_lane(const struct sl_target *t, uint64_t thread);
unsigned sl_warp_of(const struct sl_target *t, unsigned thread);
unsigned sl_lane_of(const struct sl_target *t, unsigned thread);
unsigned sl_thread_of(const struct sl_target *t, unsigned warp, unsigned lane);

/* A thread that exists now: the host, or a lane of a warp that has not ended. */
bool sl_thread_lives(const struct sl_target *t, uint64_t thread);
/* A warp that a kernel uses now. */
bool sl_warp_lives(const struct sl_target *t, unsigned warp);
struct sl_warp_status sl_target_warp(const struct sl_target *t, unsigned warp);
/* The lowest active lane of the first such warp, or else the host or the first lane. */
unsigned sl_thread_default(const struct sl_target *t);

uint32_t sl_target_pc(const struct sl_target *t, unsigned thread);

/* Reads a register by its number. Returns its bytes, 0: there is none. */
unsigned sl_target_register(const struct sl_target *t, unsigned thread, uint64_t number, uint64_t *value);
bool sl_target_set_register(struct sl_target *t, unsigned thread, uint64_t number, uint64_t value);

/* Memory as the thread sees it. */
void sl_target_load(const struct sl_target *t, unsigned thread, uint32_t address, uint8_t *bytes, size_t size);
bool sl_target_store(struct sl_target *t, unsigned thread, uint32_t address, const uint8_t *bytes, size_t size);

/* The documents of qXfer:features and qXfer:threads. `focus` is the warp of which all lanes are listed. */
void sl_target_description(const struct sl_target *t, struct sl_reply *xml);
void sl_target_threads(const struct sl_target *t, unsigned focus, struct sl_reply *xml);

#endif
