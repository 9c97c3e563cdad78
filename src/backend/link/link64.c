#include "backend/link/link64.h"

#include "backend/link/link_file.h"
#include "backend/link/link_image.h"
#include "backend/link/link_layout.h"
#include "backend/link/link_live.h"
#include "backend/link/link_map.h"
#include "backend/link/link_symbols.h"
#include "program/wide_file.h"

static enum sl_status check_options(const struct sl_link64_options *options, struct sl_error *err)
{
  if (options->registers < 32 || options->registers > SL_WIDE_REGISTERS)
    return sl_fail(err, SL_USAGE, "a program of 64-bit words has 32 to %d registers, not %u", SL_WIDE_REGISTERS,
                   options->registers);
  if (options->banks < 1 || options->banks > SL_WIDE_FILE_BANKS)
    return sl_fail(err, SL_USAGE, "registers are in 1 to %d banks, not %u", SL_WIDE_FILE_BANKS, options->banks);
  return SL_OK;
}

static enum sl_status write_map(const struct sl_link *link, const char *path, struct sl_error *err)
{
  struct sl_link_bytes text = {0};
  sl_link_map(link, &text);
  const enum sl_status code = text.incomplete ? sl_no_memory(err, text.size) : sl_link_file_write(&text, path, err);
  sl_link_bytes_free(&text);
  return code;
}

static enum sl_status write_program(const struct sl_link *link, const char *path, struct sl_error *err)
{
  struct sl_link_debug debug = {0};
  struct sl_link_bytes file = {0};
  enum sl_status code = sl_link_lines(link, &debug, err);
  if (code == SL_OK)
    code = sl_link_file(link, &debug, &file, err);
  if (code == SL_OK)
    code = sl_link_file_write(&file, path, err);
  sl_link_lines_free(&debug);
  sl_link_bytes_free(&file);
  return code;
}

enum sl_status sl_link64(const struct sl_link64_options *options, const struct sl_object64 *objects, size_t count,
                         const char *output, struct sl_error *err)
{
  struct sl_link link = {.options = options};
  enum sl_status code = check_options(options, err);
  if (code == SL_OK)
    code = sl_link_symbols(&link, objects, count, err);
  if (code == SL_OK)
    code = sl_link_live(&link, err);
  if (code == SL_OK)
    code = sl_link_layout(&link, err);
  if (code == SL_OK)
    code = sl_link_image(&link, err);
  if (code == SL_OK && options->map != NULL)
    code = write_map(&link, options->map, err);
  if (code == SL_OK)
    code = write_program(&link, output, err);
  sl_link_free(&link);
  return code;
}
