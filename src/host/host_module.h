/* Modules of a host program as files, in the folders of profiles and records: module-N.ptx or module-N.elf, and
 * module-N.cl if the runtime has compiled it from source. */
#ifndef SL_HOST_HOST_MODULE_H
#define SL_HOST_HOST_MODULE_H

#include "host/host_device.h"

enum { SL_HOST_PATH = 2 * SL_HOST_TEXT };

/* The name that the source has in code: compiled as if from this file. */
#define SL_HOST_SOURCE "./<kernel>"

/* Makes the folder, if it is not there. SL_USAGE: it cannot be made; the message names `what` it is for. */
enum sl_status sl_host_make_folder(const char *path, const char *what, struct sl_error *err);

/* Writes a module's code, and its source if there is one. In PTX, the written source takes the place of
 * SL_HOST_SOURCE. `path` receives the name of the code's file, `source` that of the source's; empty: none. */
enum sl_status sl_host_module_write(const struct sl_host_device *device, const char *folder,
                                    const struct sl_host_code *code, char path[SL_HOST_PATH], char source[SL_HOST_PATH],
                                    struct sl_error *err);

/* The program's name as it was started. */
void sl_host_program_name(char *name, size_t size);

enum sl_status sl_host_write_file(const char *path, const void *bytes, size_t size, struct sl_error *err);

#endif
