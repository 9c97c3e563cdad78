/* A file that appears under its name when it is whole.
 *
 * It is written beside, under a name that no other process uses, and renamed when everything has arrived: who is
 * interrupted, killed or finds the disk full leaves the file that was there before. What is there and is no regular
 * file (a pipe, a device) is written directly, and a symbolic link keeps pointing to where it points. */
#ifndef SL_BASE_WHOLE_FILE_H
#define SL_BASE_WHOLE_FILE_H

#include <stdio.h>

#include "base/error.h"
#include "base/types.h"

enum { SL_WHOLE_PATH = 4096 };

struct sl_whole_file {
  FILE *file;                /* NULL: not open */
  char path[SL_WHOLE_PATH];  /* which it becomes */
  char aside[SL_WHOLE_PATH]; /* where it is until then; "": it is written directly */
};

/* SL_USAGE: it cannot be opened, and why. */
enum sl_status sl_whole_file_open(struct sl_whole_file *whole, const char *path, struct sl_error *err);

/* Closes it and gives it its name; with `lasting` not before the disk has it. SL_USAGE: something of it could not be
 * written, so the file that was there before is still there. */
enum sl_status sl_whole_file_close(struct sl_whole_file *whole, bool lasting, struct sl_error *err);

/* Closes it and leaves what was there before. */
void sl_whole_file_drop(struct sl_whole_file *whole);

#endif
