#include "lab/run/memory_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config/yaml.h"

/* Reads the file of an entry; the caller frees it. */
static enum sl_status read_entry(const json_t *entry, uint32_t *address, char **bytes, size_t *size,
                                 struct sl_error *err)
{
  const char *text = json_string_value(entry);
  *address = (uint32_t)strtoul(text, NULL, 0);
  return sl_read_text(strchr(text, '=') + 1, bytes, size, err);
}

enum sl_status sl_memory_files_write(struct sl_device *device, const json_t *files, struct sl_error *err)
{
  size_t i;
  json_t *entry;
  json_array_foreach(files, i, entry)
  {
    uint32_t address;
    char *bytes = NULL;
    size_t size = 0;
    const enum sl_status code = read_entry(entry, &address, &bytes, &size, err);
    if (code == SL_OK)
      sl_device_write(device, address, bytes, size);
    free(bytes);
    if (code != SL_OK)
      return code;
  }
  return SL_OK;
}

static enum sl_status compare(uint32_t address, const uint32_t *words, const uint32_t *wanted, size_t count,
                              struct sl_error *err)
{
  size_t wrong = 0, first = 0;
  for (size_t i = count; i-- > 0;)
    if (words[i] != wanted[i]) {
      wrong++;
      first = i;
    }
  return wrong == 0 ? SL_OK
                    : sl_fail(err, SL_CHECK_FAILED,
                              "%zu of %zu results are wrong; the first at 0x%08" PRIx32 " is 0x%08" PRIx32
                              " and should be 0x%08" PRIx32,
                              wrong, count, address + 4 * (uint32_t)first, words[first], wanted[first]);
}

enum sl_status sl_memory_files_compare(const struct sl_device *device, const json_t *files, struct sl_error *err)
{
  size_t i;
  json_t *entry;
  enum sl_status code = SL_OK;
  json_array_foreach(files, i, entry)
  {
    uint32_t address;
    char *bytes = NULL;
    size_t size = 0;
    if (code == SL_OK)
      code = read_entry(entry, &address, &bytes, &size, err);
    const size_t count = (size + 3) / 4;
    uint32_t *words = calloc(2 * count + 1, sizeof *words);
    if (code == SL_OK && words == NULL)
      code = sl_no_memory(err, size);
    if (code == SL_OK) {
      sl_device_read(device, address, words, size);
      memcpy(words + count, bytes, size);
      code = compare(address, words, words + count, count, err);
    }
    free(words);
    free(bytes);
  }
  return code;
}
