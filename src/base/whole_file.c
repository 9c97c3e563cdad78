#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum sl_status cannot_open(const char *path, int reason, struct sl_error *err)
{
  return sl_fail(err, SL_USAGE, "%.500s: cannot be opened for writing (%s)", path, strerror(reason));
}

static enum sl_status cannot_write(const struct sl_whole_file *whole, int reason, struct sl_error *err)
{
  return sl_fail(err, SL_USAGE, "%.500s: cannot be written (%s)%s", whole->path, strerror(reason),
                 whole->aside[0] != '\0' ? "; the previous file is unchanged" : "; its contents are incomplete");
}

/* The file that a name leads to, over symbolic links; the name itself where there is none yet. */
static bool resolve(const char *path, char resolved[SL_WHOLE_PATH])
{
  char *real = realpath(path, NULL);
  const int n = snprintf(resolved, SL_WHOLE_PATH, "%s", real != NULL ? real : path);
  free(real);
  return n > 0 && n < SL_WHOLE_PATH;
}

/* A new file beside, with the rights that the old one has, or a new one gets. */
static int open_aside(struct sl_whole_file *whole, const struct stat *old)
{
  for (unsigned attempt = 0; attempt < 1000; attempt++) {
    const int n = snprintf(whole->aside, sizeof whole->aside, "%s.%ld-%u.part", whole->path, (long)getpid(), attempt);
    if (n < 0 || n >= SL_WHOLE_PATH) {
      errno = ENAMETOOLONG;
      return -1;
    }
    const int file = open(whole->aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 && old != NULL && fchmod(file, old->st_mode & 07777) != 0 && errno != EPERM) {
      close(file);
      unlink(whole->aside);
      return -1;
    }
    if (file >= 0 || errno != EEXIST)
      return file;
  }
  return -1;
}

enum sl_status sl_whole_file_open(struct sl_whole_file *whole, const char *path, struct sl_error *err)
{
  struct stat status;
  *whole = (struct sl_whole_file){0};
  if (!resolve(path, whole->path))
    return sl_fail(err, SL_USAGE, "%.80s...: too long a name for a file", path);
  const bool exists = stat(path, &status) == 0;
  if (exists && S_ISREG(status.st_mode) && access(path, W_OK) != 0)
    return cannot_open(path, errno, err);
  if (exists && !S_ISREG(status.st_mode)) {
    whole->file = fopen(path, "wbe");
    return whole->file != NULL ? SL_OK : cannot_open(path, errno, err);
  }
  const int file = open_aside(whole, exists ? &status : NULL);
  if (file < 0)
    return cannot_open(path, errno, err);
  whole->file = fdopen(file, "wb");
  if (whole->file != NULL)
    return SL_OK;
  const int reason = errno;
  close(file);
  unlink(whole->aside);
  return cannot_open(path, reason, err);
}

void sl_whole_file_drop(struct sl_whole_file *whole)
{
  if (whole->file != NULL)
    fclose(whole->file);
  whole->file = NULL;
  if (whole->aside[0] != '\0')
    unlink(whole->aside);
  whole->aside[0] = '\0';
}

/* The name is as lasting as the contents when the folder is on the disk too. */
static void sync_folder(const char *path)
{
  char folder[SL_WHOLE_PATH];
  snprintf(folder, sizeof folder, "%s", path);
  char *slash = strrchr(folder, '/');
  if (slash == NULL)
    snprintf(folder, sizeof folder, ".");
  else
    slash[slash == folder] = '\0';
  const int file = open(folder, O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    fsync(file);
    close(file);
  }
}

enum sl_status sl_whole_file_close(struct sl_whole_file *whole, bool lasting, struct sl_error *err)
{
  errno = 0;
  bool ok = !ferror(whole->file) && fflush(whole->file) == 0;
  if (!ok && errno == 0) { /* an earlier write has failed, and why is forgotten: another one says it */
    fputc('\n', whole->file);
    fflush(whole->file);
  }
  ok = ok && (!lasting || whole->aside[0] == '\0' || fsync(fileno(whole->file)) == 0);
  int reason = errno;
  if (fclose(whole->file) != 0 && ok) {
    reason = errno;
    ok = false;
  }
  whole->file = NULL;
  if (ok && whole->aside[0] != '\0' && rename(whole->aside, whole->path) != 0) {
    reason = errno;
    ok = false;
  }
  if (!ok) {
    const enum sl_status code = cannot_write(whole, reason != 0 ? reason : EIO, err);
    sl_whole_file_drop(whole);
    return code;
  }
  if (lasting && whole->aside[0] != '\0')
    sync_folder(whole->path);
  return SL_OK;
}
