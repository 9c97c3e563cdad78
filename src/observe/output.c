#include "observe/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

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

/* ---- large files ------------------------------------------------------------------------------------------------- */

/* Compresses bytes, up to their end or the end of the file. */
static void pack(struct sl_trace_file *file, const void *bytes, size_t size, ZSTD_EndDirective directive)
{
  ZSTD_inBuffer in = {bytes, size, 0};
  size_t left;
  do {
    ZSTD_outBuffer out = {file->packed, file->packed_size, 0};
    left = ZSTD_compressStream2(file->packer, &out, &in, directive);
    file->unpackable = file->unpackable || ZSTD_isError(left);
    sl_output_write(&file->output, file->packed, out.pos);
  } while (!file->unpackable && (directive == ZSTD_e_end ? left > 0 : in.pos < in.size));
}

void sl_trace_file_write(struct sl_trace_file *file, const void *bytes, size_t size)
{
  if (file->packer == NULL)
    sl_output_write(&file->output, bytes, size);
  else if (!file->unpackable)
    pack(file, bytes, size, ZSTD_e_continue);
}

enum { LINE = 256 };

void sl_trace_file_print(struct sl_trace_file *file, const char *format, ...)
{
  char line[LINE];
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (n > 0)
    sl_trace_file_write(file, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

#define ENDING ".zst"

static bool is_packed_name(const char *path)
{
  const size_t length = strlen(path), ending = sizeof ENDING - 1;
  return length > ending && strcmp(path + length - ending, ENDING) == 0;
}

static enum sl_status make_packer(struct sl_trace_file *file, struct sl_error *err)
{
  file->packed_size = ZSTD_CStreamOutSize();
  file->packed = malloc(file->packed_size);
  file->packer = ZSTD_createCCtx();
  if (file->packed == NULL || file->packer == NULL)
    return sl_no_memory(err, file->packed_size);
  ZSTD_CCtx_setParameter(file->packer, ZSTD_c_checksumFlag, 1);
  return SL_OK;
}

static void free_packer(struct sl_trace_file *file)
{
  ZSTD_freeCCtx(file->packer);
  free(file->packed);
  file->packer = NULL;
  file->packed = NULL;
}

enum sl_status sl_trace_file_open(struct sl_trace_file *file, const char *path, struct sl_error *err)
{
  *file = (struct sl_trace_file){0};
  enum sl_status code = is_packed_name(path) ? make_packer(file, err) : SL_OK;
  if (code == SL_OK)
    code = sl_output_open(&file->output, path, err);
  if (code != SL_OK)
    free_packer(file);
  return code;
}

void sl_trace_file_drop(struct sl_trace_file *file)
{
  free_packer(file);
  sl_output_drop(&file->output);
}

enum sl_status sl_trace_file_close(struct sl_trace_file *file, struct sl_error *err)
{
  if (file->packer != NULL && !file->unpackable)
    pack(file, NULL, 0, ZSTD_e_end);
  free_packer(file);
  if (!file->unpackable)
    return sl_output_close(&file->output, err);
  sl_trace_file_drop(file);
  return sl_fail(err, SL_INTERNAL, "%.200s: cannot be compressed for lack of memory", file->output.name);
}
