#include "runtime/opencl/ocl.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/whole_file.h"
#include "compiler/cc/compile.h"

#define BYTES_MOST (UINT64_C(256) << 20)
enum { FORMAT = 6, HASH_TEXT = 33 };

/* ---- the key ----------------------------------------------------------------------------------------------------- */

static void make_folders(char *path)
{
  for (char *at = path + 1; (at = strchr(at, '/')) != NULL; at++) {
    *at = '\0';
    mkdir(path, 0700);
    *at = '/';
  }
  mkdir(path, 0700);
}

static bool find_folder(char *path, size_t size)
{
  const char *own = sl_ocl_options()->cache, *shared = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (strcmp(own, "0") == 0)
    return false;
  if (own[0] != '\0')
    snprintf(path, size, "%s", own);
  else if (shared != NULL && shared[0] == '/')
    snprintf(path, size, "%s/simtlab/opencl", shared);
  else if (home != NULL && home[0] == '/')
    snprintf(path, size, "%s/.cache/simtlab/opencl", home);
  else
    return false;
  make_folders(path);
  return access(path, W_OK) == 0;
}

static void add(XXH3_state_t *state, const char *text)
{
  XXH3_128bits_update(state, text, strlen(text) + 1);
}

/* A file that a program is made by: its size and time. */
static void add_file(XXH3_state_t *state, const char *path)
{
  struct stat status;
  if (stat(path, &status) != 0)
    return;
  const int64_t facts[] = {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
  XXH3_128bits_update(state, facts, sizeof facts);
}

struct ocl_cache_key sl_ocl_cache_key(const char *source, const struct ocl_options *options, bool object,
                                      const struct ocl_header *headers, size_t header_count)
{
  struct ocl_cache_key key = {.usable = false};
  char folder[4000], words[64], library[4096], here[4096];
  if (!find_folder(folder, sizeof folder))
    return key;
  XXH3_state_t *state = XXH3_createState();
  if (state == NULL)
    return key;
  XXH3_128bits_reset(state);
  snprintf(words, sizeof words, "%d %s %d %d", FORMAT, SL_VERSION, object, options->optimised);
  add(state, words);
  add_file(state, "/usr/bin/clang-19");
  if (sl_ocl_find_library(library, sizeof library))
    add_file(state, library);
  if (options->family != NULL) {
    sl_ocl_riscv_compiler(library, sizeof library);
    add_file(state, library);
    static const char *const parts[] = {"", ".1", ".2"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
      snprintf(words, sizeof words, "%s%s.bc", options->family, parts[i]);
      if (sl_ocl_find_file(words, library, sizeof library))
        add_file(state, library);
    }
  }
  add(state, source);
  for (size_t i = 0; i < options->flags.count; i++)
    add(state, options->flags.items[i]);
  if (strstr(source, "include") != NULL && getcwd(here, sizeof here) != NULL)
    add(state, here);
  for (size_t i = 0; i < header_count; i++) {
    add(state, headers[i].name);
    add(state, headers[i].text);
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  key.usable = true;
  snprintf(key.path, sizeof key.path, "%s/%016llx%016llx", folder, (unsigned long long)hash.high64,
           (unsigned long long)hash.low64);
  return key;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* A file: the number of bytes of a binary, of the log and of the list of included files, their hash; then these. */
struct header {
  uint64_t binary, log, depends, hash;
};

static uint64_t hash_of_file(const char *path)
{
  size_t length;
  char *text = sl_cuda_read(path, &length, NULL);
  const uint64_t hash = text != NULL ? XXH3_64bits(text, length) : 0;
  free(text);
  return hash;
}

/* Whether all lines "HASH PATH" still hold. */
static bool are_current(const char *lines, size_t length)
{
  for (size_t i = 0; i < length;) {
    const char *end = memchr(lines + i, '\n', length - i);
    char path[4096];
    if (end == NULL || end - (lines + i) < 18)
      return false;
    snprintf(path, sizeof path, "%.*s", (int)(end - (lines + i) - 17), lines + i + 17);
    if (hash_of_file(path) != strtoull(lines + i, NULL, 16))
      return false;
    i = (size_t)(end - lines) + 1;
  }
  return true;
}

struct ocl_code *sl_ocl_cache_find(const struct ocl_cache_key *key, struct sl_log *log)
{
  size_t size = 0;
  struct header h;
  char *bytes = key->usable ? sl_cuda_read(key->path, &size, NULL) : NULL;
  struct ocl_code *code = NULL;
  if (bytes == NULL)
    return NULL;
  if (size >= sizeof h) {
    memcpy(&h, bytes, sizeof h);
    const size_t rest = size - sizeof h;
    const char *at = bytes + sizeof h;
    if (h.binary <= rest && h.log <= rest - h.binary && h.depends == rest - h.binary - h.log &&
        h.hash == XXH3_64bits(at, rest) && are_current(at + h.binary + h.log, h.depends))
      code = sl_ocl_from_binary(at, h.binary);
    if (code != NULL && h.log > 0)
      sl_log_add(log, at + h.binary, h.log);
  }
  free(bytes);
  if (code != NULL)
    utimensat(AT_FDCWD, key->path, NULL, 0); /* it was used now */
  return code;
}

/* Appends a line for each included file. */
static void list_depends(const char *depends, const char *folder, struct sl_log *lines)
{
  const char *at = depends != NULL ? strchr(depends, ':') : NULL;
  if (at == NULL)
    return;
  for (at++; *at != '\0';) {
    char path[4096], line[4200];
    size_t n = 0;
    at += strspn(at, " \t\n\r");
    if (*at == '\\' && (at[1] == '\n' || at[1] == '\r')) {
      at += 2;
      continue;
    }
    for (; *at != '\0' && strchr(" \t\n\r", *at) == NULL; at++) {
      at += *at == '\\' && at[1] == ' ';
      if (n < sizeof path - 1)
        path[n++] = *at;
    }
    path[n] = '\0';
    if (n == 0 || strncmp(path, folder, strlen(folder)) == 0 || strstr(path, "/lib/clang/") != NULL)
      continue;
    snprintf(line, sizeof line, "%016llx %s\n", (unsigned long long)hash_of_file(path), path);
    sl_log_add(lines, line, strlen(line));
  }
}

struct used {
  char name[HASH_TEXT];
  uint64_t bytes;
  int64_t time;
};

static int by_time(const void *a, const void *b)
{
  const int64_t x = ((const struct used *)a)->time, y = ((const struct used *)b)->time;
  return (x > y) - (x < y);
}

/* Removes files from the one that was not used for longest, until half the room is free. */
static void trim(const char *file)
{
  char folder[4096], path[4200];
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(file, '/') - file), file);
  DIR *dir = opendir(folder);
  struct used *all = NULL;
  size_t count = 0, room = 0;
  uint64_t sum = 0;
  for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
    struct stat status;
    snprintf(path, sizeof path, "%s/%.64s", folder, e->d_name);
    if (strlen(e->d_name) != HASH_TEXT - 1 || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
      continue;
    if (count == room) {
      struct used *grown = realloc(all, (room = 2 * room + 64) * sizeof *all);
      if (grown == NULL)
        break;
      all = grown;
    }
    all[count] = (struct used){.bytes = (uint64_t)status.st_size, .time = status.st_mtim.tv_sec};
    memcpy(all[count++].name, e->d_name, HASH_TEXT);
    sum += (uint64_t)status.st_size;
  }
  if (dir != NULL)
    closedir(dir);
  if (sum > BYTES_MOST)
    qsort(all, count, sizeof *all, by_time);
  for (size_t i = 0, over = sum > BYTES_MOST; i < count && over && sum > BYTES_MOST / 2; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, all[i].name);
    unlink(path);
    sum -= all[i].bytes;
  }
  free(all);
}

void sl_ocl_cache_store(const struct ocl_cache_key *key, const struct ocl_code *code, const struct sl_log *log,
                        const char *depends, const char *folder)
{
  struct sl_whole_file file;
  struct sl_log lines = {NULL, 0, 0}, all = {NULL, 0, 0};
  size_t size;
  void *binary = key->usable ? sl_ocl_binary(code, &size) : NULL;
  if (binary == NULL)
    return;
  list_depends(depends, folder, &lines);
  sl_log_add(&all, binary, size);
  sl_log_add(&all, log->text != NULL ? log->text : "", log->length);
  sl_log_add(&all, lines.text != NULL ? lines.text : "", lines.length);
  const struct header h = {size, log->length, lines.length, XXH3_64bits(all.text, all.length)};
  if (all.length == size + log->length + lines.length && sl_whole_file_open(&file, key->path, NULL) == SL_OK) {
    fwrite(&h, sizeof h, 1, file.file);
    fwrite(all.text, 1, all.length, file.file);
    sl_whole_file_close(&file, false, NULL);
    trim(key->path);
  }
  sl_log_free(&lines);
  sl_log_free(&all);
  free(binary);
}
