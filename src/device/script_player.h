/* Performs the statements of a launch script on a GPU: loads the module, creates and fills buffers, launches kernels,
 * and reports or compares checksums. */
#ifndef SL_DEVICE_SCRIPT_PLAYER_H
#define SL_DEVICE_SCRIPT_PLAYER_H

#include "base/state_archive.h"
#include "device/gpu.h"
#include "device/script.h"

struct sl_script_player;

/* Observer of a script's execution. Functions may be NULL. */
struct sl_script_observer {
  /* Called before the first step; its argument stays valid until the script ends. Not SL_OK: the script ends. */
  enum sl_status (*begun)(void *context, struct sl_script_player *player, struct sl_error *err);
  void (*summed)(void *context, const char *buffer, uint64_t sum);
  void *context;
};

/* Performs the steps in order. `module`: the script's, if it is loaded already; NULL: load it. SL_CHECK_FAILED: a
 * checksum differs from the expected one. Errors of a step begin with path:line. */
enum sl_status sl_script_perform(const struct sl_script *script, struct sl_gpu *gpu, struct sl_gpu_module *module,
                                 const struct sl_script_observer *observer, struct sl_error *err);

/* Loads a script of PTX and performs it on the machine sm7 with another engine, without timing. */
enum sl_status sl_script_analyse(const char *path, const struct sl_ptx_engine *engine, struct sl_error *err);

/* Checkpoints a script of PTX during a launch: the step number and all of memory. It is restored into a script that has
 * just begun. The script then continues with that launch, at the request of the engine. */
void sl_script_player_archive(struct sl_archive *archive, struct sl_script_player *player);

#endif
