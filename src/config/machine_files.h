/* Machines of one's own, by name: NAME.yaml in one of the folders that the environment's SIMTLAB_MACHINES lists, with
 * colons between them. The first folder that has the file counts. */
#ifndef SL_CONFIG_MACHINE_FILES_H
#define SL_CONFIG_MACHINE_FILES_H

#include "base/error.h"
#include "base/types.h"

enum { SL_MACHINE_PATH = 4096, SL_MACHINE_NAME = 256 };

/* The file of a name. */
bool sl_machine_file(const char *name, char path[SL_MACHINE_PATH]);

struct sl_machine_file {
  char name[SL_MACHINE_NAME];
  const char *folder;
  bool hidden; /* by one of the same name in an earlier folder */
};

struct sl_machine_files {
  char *folders; /* what the list says, the folders' names end with zeros */
  struct sl_machine_file *file;
  size_t count;
};

/* All of them, by name. SL_USAGE, with those of the other folders there, when a folder cannot be read. In any case to
 * be freed. */
enum sl_status sl_machine_files_read(struct sl_machine_files *files, struct sl_error *err);
void sl_machine_files_free(struct sl_machine_files *files);

#endif
