#include "host/host_observers.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/whole_file.h"

enum sl_status sl_host_make_folder(const char *path, const char *what, struct sl_error *err)
{
  struct stat status;
  if (mkdir(path, 0777) == 0 || (stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
    return SL_OK;
  return sl_fail(err, SL_USAGE, "%.300s: the folder of %s cannot be made", path, what);
}

enum sl_status sl_host_write_file(const char *path, const void *bytes, size_t size, struct sl_error *err)
{
  struct sl_whole_file whole;
  const enum sl_status code = sl_whole_file_open(&whole, path, err);
  if (code != SL_OK)
    return code;
  if (size > 0)
    fwrite(bytes, 1, size, whole.file); /* closing reports a failure */
  return sl_whole_file_close(&whole, false, err);
}

/* Writes PTX, whose .file directives name the source. */
static enum sl_status write_ptx(const char *path, const struct sl_host_code *code, const char *source,
                                struct sl_error *err)
{
  static const char name[] = "\"" SL_HOST_SOURCE "\"";
  struct sl_whole_file whole;
  const enum sl_status status = sl_whole_file_open(&whole, path, err);
  if (status != SL_OK)
    return status;
  const char *at = code->text, *end = code->text + code->length;
  for (const char *hit = at; (hit = memchr(hit, '"', (size_t)(end - hit))) != NULL; hit++) {
    if ((size_t)(end - hit) < sizeof name - 1 || memcmp(hit, name, sizeof name - 1) != 0)
      continue;
    fwrite(at, 1, (size_t)(hit - at), whole.file);
    fprintf(whole.file, "\"%s\"", source);
    at = hit + sizeof name - 1;
    hit = at - 1;
  }
  fwrite(at, 1, (size_t)(end - at), whole.file); /* closing reports a failure */
  return sl_whole_file_close(&whole, false, err);
}

enum sl_status sl_host_module_write(const struct sl_host_device *device, const char *folder,
                                    const struct sl_host_code *code, char path[SL_HOST_PATH], char source[SL_HOST_PATH],
                                    struct sl_error *err)
{
  char *whole = realpath(folder, NULL);
  enum sl_status status = SL_OK;
  snprintf(path, SL_HOST_PATH, "%s/module-%u.%s", folder, device->modules, device->facts.ptx ? "ptx" : "elf");
  source[0] = '\0';
  if (code->source != NULL) {
    snprintf(source, SL_HOST_PATH, "%.1200s/module-%u.cl", whole != NULL ? whole : folder, device->modules);
    status = sl_host_write_file(source, code->source, strlen(code->source), err);
  }
  free(whole);
  if (status != SL_OK)
    return status;
  return source[0] != '\0' && device->facts.ptx ? write_ptx(path, code, source, err)
                                                : sl_host_write_file(path, code->text, code->length, err);
}

void sl_host_program_name(char *name, size_t size)
{
  FILE *file = fopen("/proc/self/cmdline", "rb");
  const size_t bytes = file != NULL ? fread(name, 1, size - 1, file) : 0;
  name[bytes] = '\0';
  if (file != NULL)
    fclose(file);
  if (name[0] == '\0')
    snprintf(name, size, "host program");
}
