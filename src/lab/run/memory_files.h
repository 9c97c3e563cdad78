/* Files in a machine's memory before and after a run: lists of "ADDRESS=PATH". */
#ifndef SL_LAB_RUN_MEMORY_FILES_H
#define SL_LAB_RUN_MEMORY_FILES_H

#include <jansson.h>

#include "device/device.h"

/* Writes files into the memory. */
enum sl_status sl_memory_files_write(struct sl_device *device, const json_t *files, struct sl_error *err);

/* Compares the memory with files, word by word; SL_CHECK_FAILED tells the first that differs. */
enum sl_status sl_memory_files_compare(const struct sl_device *device, const json_t *files, struct sl_error *err);

#endif
