/* Atomic output files: a temporary file that is renamed when it is complete.
 *
 * The temporary file lies in the same folder under a unique name. If the process is interrupted or killed, or the disk
 * is full, the previous file remains. An existing path that is not a regular file (a pipe, a device) is written
 * directly. A symbolic link keeps its target. */
#ifndef SL_BASE_WHOLE_FILE_H
#define SL_BASE_WHOLE_FILE_H

#include <stdio.h>

#include "base/error.h"
#include "base/types.h"

enum { SL_WHOLE_PATH = 4096 };

struct sl_whole_file {
  FILE *file;                /* NULL: not open */
  char path[SL_WHOLE_PATH];  /* final path */
  char aside[SL_WHOLE_PATH]; /* path of the temporary file; "": the file is written directly */
};

/* Opens the file. SL_USAGE: it cannot be opened; the sentence gives the reason. */
enum sl_status sl_whole_file_open(struct sl_whole_file *whole, const char *path, struct sl_error *err);

/* Closes and renames the file; with `lasting`, only after its data are on the disk. SL_USAGE: a write failed, and the
 * previous file remains. */
enum sl_status sl_whole_file_close(struct sl_whole_file *whole, bool lasting, struct sl_error *err);

/* Closes and removes the temporary file; the previous file remains. */
void sl_whole_file_drop(struct sl_whole_file *whole);

#endif
