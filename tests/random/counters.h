/* Comparison of our counters with recorded ones. */
#ifndef CNT_COUNTERS_H
#define CNT_COUNTERS_H

#include <jansson.h>

#include "device/device.h"

/* FNV-1a, 64 bits, continued from `hash`. */
#define CNT_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t cnt_hash(uint64_t hash, const void *bytes, size_t size);

/* A recorded configuration and the equivalent machine. */
struct cnt_machine {
  const char *preset;
  const char *settings[3]; /* "KEY=VALUE", NULL-terminated */
  const char *configuration;
};

extern const struct cnt_machine cnt_machines[];
extern const size_t cnt_machine_count;

/* Opens the machine's configuration; the caller closes it, also after an error. */
enum sl_status cnt_open(const struct cnt_machine *machine, struct sl_config *config, struct sl_error *err);

/* Reads a file of records; on failure prints a message and returns NULL. */
json_t *cnt_records(const char *path);

/* Runs a program, with an argument or NULL; the caller destroys the device, also after an error. */
enum sl_status cnt_run(const struct sl_config *config, const struct sl_program *program, const char *name,
                       const char *argument, struct sl_device **device, struct sl_error *err);

/* Returns the number of recorded counters that differ from a launch's, and prints a line for each. */
unsigned cnt_compare(const char *name, const struct sl_config *config, const struct sl_launch *launch,
                     json_t *counters);

#endif
