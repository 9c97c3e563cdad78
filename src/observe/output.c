#include "observe/output.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum sl_status sl_output_open(struct sl_output *output, const char *path, struct sl_error *err)
{
  *output = (struct sl_output){.standard = strcmp(path, "-") == 0};
  snprintf(output->name, sizeof output->name, "%.255s", output->standard ? "standard output" : path);
  const enum sl_status code = output->standard ? SL_OK : sl_whole_file_open(&output->whole, path, err);
  output->file = output->standard ? stdout : output->whole.file;
  return code;
}

bool sl_is_standard(const char *path)
{
  return path != NULL && strcmp(path, "-") == 0;
}

void sl_output_console(struct sl_output *output, bool aside)
{
  *output = (struct sl_output){.standard = true, .file = aside ? stderr : stdout};
  snprintf(output->name, sizeof output->name, "standard %s", aside ? "error" : "output");
  if (aside)
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ); /* a byte at a time would take long */
}

static void remember(struct sl_output *output)
{
  if (output->failure == 0)
    output->failure = errno != 0 ? errno : EIO;
}

static bool is_open(const struct sl_output *output)
{
  return output->failure == 0 && output->file != NULL;
}

void sl_output_write(struct sl_output *output, const void *bytes, size_t size)
{
  errno = 0;
  if (is_open(output) && fwrite(bytes, 1, size, output->file) != size)
    remember(output);
}

void sl_output_print(struct sl_output *output, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  errno = 0;
  if (is_open(output) && vfprintf(output->file, format, args) < 0)
    remember(output);
  va_end(args);
}

bool sl_output_flush(struct sl_output *output)
{
  errno = 0;
  const bool lost = is_open(output) && (fflush(output->file) != 0 || ferror(output->file));
  if (lost && errno == 0) { /* an earlier write failed and its errno is lost: another write obtains it */
    fputc('\n', output->file);
    fflush(output->file);
  }
  if (lost)
    remember(output);
  return output->failure == 0;
}

void sl_output_drop(struct sl_output *output)
{
  if (output->file != NULL && !output->standard)
    sl_whole_file_drop(&output->whole);
  output->file = NULL;
}

enum sl_status sl_output_close(struct sl_output *output, struct sl_error *err)
{
  sl_output_flush(output);
  const bool aside = output->whole.aside[0] != '\0';
  if (output->failure != 0 || (aside && ftello(output->file) == 0))
    sl_output_drop(output);
  if (output->failure != 0)
    return sl_fail(err, SL_USAGE, "%.200s: cannot be written (%s)%s", output->name, strerror(output->failure),
                   aside ? "; the previous file is unchanged" : "; its contents are incomplete");
  const bool open = output->file != NULL && !output->standard;
  output->file = NULL;
  return open ? sl_whole_file_close(&output->whole, false, err) : SL_OK;
}
