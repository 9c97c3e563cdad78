#include "compiler/isa64/rv32/rv32_object.h"

#include <ar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/program.h"

enum { MEMBER_NAME_SIZE = 200 };

struct member {
  const uint8_t *bytes;
  size_t size, next; /* offset of the next header */
  char name[sizeof((struct ar_hdr *)0)->ar_name + 1];
};

/* Parses a decimal number in a space-padded field; false if it is none. */
static bool read_number(const char *field, size_t size, size_t *value)
{
  *value = 0;
  size_t i = 0;
  for (; i < size && field[i] >= '0' && field[i] <= '9'; i++)
    *value = *value * 10 + (size_t)(field[i] - '0');
  return i > 0 && (i == size || field[i] == ' ');
}

static enum sl_status read_member(const struct sl_rv32_archive *archive, size_t at, struct member *member,
                                  struct sl_error *err)
{
  struct ar_hdr header;
  size_t size;
  if (at > archive->size || sizeof header > archive->size - at)
    return sl_fail(err, SL_USAGE, "%.200s: ends within the header of a member, at byte %zu", archive->name, at);
  memcpy(&header, archive->bytes + at, sizeof header);
  const size_t begin = at + sizeof header;
  if (memcmp(header.ar_fmag, ARFMAG, sizeof header.ar_fmag) != 0 ||
      !read_number(header.ar_size, sizeof header.ar_size, &size) || size > archive->size - begin)
    return sl_fail(err, SL_USAGE, "%.200s: no member of the archive begins at byte %zu; the file is damaged",
                   archive->name, at);
  *member = (struct member){.bytes = archive->bytes + begin, .size = size, .next = begin + size + size % 2};
  memcpy(member->name, header.ar_name, sizeof header.ar_name);
  member->name[sizeof header.ar_name] = '\0';
  for (size_t i = sizeof header.ar_name; i-- > 0 && member->name[i] == ' ';)
    member->name[i] = '\0';
  return SL_OK;
}

static uint32_t big_endian(const uint8_t *at)
{
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The index is a count, that many member offsets, and as many names. */
static enum sl_status read_index(struct sl_rv32_archive *archive, const struct member *index, struct sl_error *err)
{
  const size_t count = index->size >= 4 ? big_endian(index->bytes) : 0;
  if (index->size < 4 || count > (index->size - 4) / 4)
    return sl_fail(err, SL_USAGE, "%.200s: the archive's index extends beyond its end; the file is damaged",
                   archive->name);
  archive->symbols = calloc(count + 1, sizeof *archive->symbols);
  if (archive->symbols == NULL)
    return sl_no_memory(err, (count + 1) * sizeof *archive->symbols);
  size_t at = 4 + 4 * count;
  for (size_t i = 0; i < count; i++) {
    const uint8_t *name = index->bytes + at, *end = memchr(name, '\0', index->size - at);
    if (end == NULL)
      return sl_fail(err, SL_USAGE, "%.200s: the archive's index lacks names; the file is damaged", archive->name);
    archive->symbols[archive->symbol_count++] =
        (struct sl_rv32_archive_symbol){(const char *)name, big_endian(index->bytes + 4 + 4 * i)};
    at = (size_t)(end + 1 - index->bytes);
  }
  return SL_OK;
}

/* The index comes first, then optional long names; both precede the members. */
static enum sl_status read_tables(struct sl_rv32_archive *archive, struct sl_error *err)
{
  struct member member;
  size_t at = SARMAG;
  while (at < archive->size) {
    enum sl_status code = read_member(archive, at, &member, err);
    if (code == SL_OK && strcmp(member.name, "/") == 0 && archive->symbols == NULL)
      code = read_index(archive, &member, err);
    else if (code == SL_OK && strcmp(member.name, "//") == 0) {
      archive->names = (const char *)member.bytes;
      archive->names_size = member.size;
    } else if (code == SL_OK)
      break;
    if (code != SL_OK)
      return code;
    at = member.next;
  }
  if (archive->symbols == NULL && at < archive->size)
    return sl_fail(err, SL_USAGE, "%.200s: the archive has no index of symbols; run riscv64-unknown-elf-ranlib on it",
                   archive->name);
  return SL_OK;
}

enum sl_status sl_rv32_archive_parse(const char *name, uint8_t *bytes, size_t size, struct sl_rv32_archive *archive,
                                     struct sl_error *err)
{
  *archive = (struct sl_rv32_archive){.name = strdup(name), .bytes = bytes, .size = size};
  enum sl_status code = SL_OK;
  if (archive->name == NULL)
    code = sl_no_memory(err, strlen(name) + 1);
  else if (size >= SARMAG && memcmp(bytes, "!<thin>\n", SARMAG) == 0)
    code = sl_fail(err, SL_USAGE,
                   "%.200s: a thin archive, which does not contain its members; create it without the letter T", name);
  else if (size < SARMAG || memcmp(bytes, ARMAG, SARMAG) != 0)
    code = sl_fail(err, SL_USAGE, "%.200s: not an archive; create it with riscv64-unknown-elf-ar rcs", name);
  else
    code = read_tables(archive, err);
  if (code != SL_OK)
    sl_rv32_archive_free(archive);
  return code;
}

enum sl_status sl_rv32_archive_read(const char *path, struct sl_rv32_archive *archive, struct sl_error *err)
{
  char *bytes;
  size_t size;
  const enum sl_status code = sl_file_bytes_read(path, &bytes, &size, err);
  return code == SL_OK ? sl_rv32_archive_parse(path, (uint8_t *)bytes, size, archive, err) : code;
}

void sl_rv32_archive_free(struct sl_rv32_archive *archive)
{
  free(archive->symbols);
  free(archive->bytes);
  free(archive->name);
  *archive = (struct sl_rv32_archive){0};
}

/* Names end with a slash. "/123" is at byte 123 of the long names. */
static void name_member(const struct sl_rv32_archive *archive, const struct member *member, char text[MEMBER_NAME_SIZE])
{
  const char *name = member->name;
  size_t offset, most = strlen(name);
  if (name[0] == '/' && read_number(name + 1, most - 1, &offset) && offset < archive->names_size) {
    name = archive->names + offset;
    most = archive->names_size - offset;
  }
  size_t length = 0;
  while (length < most && name[length] != '/' && name[length] != '\n' && name[length] != '\0')
    length++;
  const char *slash = strrchr(archive->name, '/');
  snprintf(text, MEMBER_NAME_SIZE, "%.80s(%.*s)", slash != NULL ? slash + 1 : archive->name,
           (int)(length < 100 ? length : 100), name);
}

enum sl_status sl_rv32_archive_member(const struct sl_rv32_archive *archive, uint32_t member,
                                      struct sl_object64 *object, struct sl_error *err)
{
  struct member m;
  char name[MEMBER_NAME_SIZE];
  enum sl_status code = read_member(archive, member, &m, err);
  if (code != SL_OK)
    return code;
  name_member(archive, &m, name);
  return sl_rv32_object_parse(name, m.bytes, m.size, object, err);
}
