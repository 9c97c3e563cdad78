/* Custom machines by name: NAME.yaml in a folder of the environment variable SIMTLAB_MACHINES, a colon-separated list.
 * The first folder with such a file counts. */
#ifndef SL_CONFIG_MACHINE_FILES_H
#define SL_CONFIG_MACHINE_FILES_H

#include "base/error.h"
#include "base/types.h"

enum { SL_MACHINE_PATH = 4096, SL_MACHINE_NAME = 256 };

/* Finds the file of a name; returns false if there is none. */
bool sl_machine_file(const char *name, char path[SL_MACHINE_PATH]);

struct sl_machine_file {
  char name[SL_MACHINE_NAME];
  const char *folder;
  bool hidden; /* an earlier folder has a file of the same name */
};

struct sl_machine_files {
  char *folders; /* the list's text; folder names are zero-terminated in it */
  struct sl_machine_file *file;
  size_t count;
};

/* Reads all custom machines, sorted by name. SL_USAGE: a folder cannot be read; the machines of the other folders are
 * there. Call sl_machine_files_free in either case. */
enum sl_status sl_machine_files_read(struct sl_machine_files *files, struct sl_error *err);
void sl_machine_files_free(struct sl_machine_files *files);

#endif
