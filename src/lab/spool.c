#include "lab/sweep.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "device/script.h"
#include "observe/json.h"
#include "observe/report.h"

/* ---- hashes ------------------------------------------------------------------------------------------------------ */

const char *sl_run_text(const json_t *object, const char *name)
{
  const char *text = json_string_value(json_object_get(object, name));
  return text != NULL ? text : "";
}

void sl_config_digest(const struct sl_config *config, bool named, char digest[SL_SHA256_TEXT])
{
  const struct sl_keys *keys = config->machine->keys;
  struct sl_sha256 hash;
  sl_sha256_begin(&hash);
  sl_sha256_text(&hash, config->machine->name);
  if (named)
    sl_sha256_text(&hash, config->name);
  for (size_t i = 0; i < keys->count; i++) {
    const uint32_t value = sl_key_value(&keys->key[i], config->spec);
    sl_sha256_text(&hash, keys->key[i].name);
    sl_sha256_add(&hash, &value, sizeof value);
  }
  sl_sha256_end(&hash, digest);
}

static enum sl_status add_file(struct sl_sha256 *hash, const char *path, struct sl_error *err)
{
  char digest[SL_SHA256_TEXT];
  const enum sl_status code = sl_sha256_file(path, digest, err);
  if (code == SL_OK)
    sl_sha256_text(hash, digest);
  return code;
}

static enum sl_status add_script(struct sl_sha256 *hash, const char *path, struct sl_error *err)
{
  struct sl_script script;
  enum sl_status code = sl_script_load(&script, path, err);
  if (code != SL_OK)
    return code;
  for (unsigned i = 0; i < script.module_count && code == SL_OK; i++)
    code = add_file(hash, script.modules[i], err);
  for (unsigned i = 0; i < script.step_count && code == SL_OK; i++)
    if (script.steps[i].fill.kind == SL_SCRIPT_FILL_FILE)
      code = add_file(hash, script.steps[i].fill.path, err);
  sl_script_free(&script);
  return code;
}

/* Adds the files of a list of ADDRESS=PATH. */
static enum sl_status add_memory(struct sl_sha256 *hash, const json_t *list, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  size_t i;
  json_t *entry;
  json_array_foreach(list, i, entry)
  {
    const char *text = json_string_value(entry), *path = strchr(text, '=') + 1;
    sl_sha256_add(hash, text, (size_t)(path - text));
    if (code == SL_OK)
      code = add_file(hash, path, err);
  }
  return code;
}

enum sl_status sl_program_digest(const json_t *run, char digest[SL_SHA256_TEXT], struct sl_error *err)
{
  const char *kind = sl_run_text(run, "kind"), *path = sl_run_text(run, "path");
  enum sl_status code = SL_OK;
  struct sl_sha256 hash;
  size_t i;
  json_t *file;
  sl_sha256_begin(&hash);
  sl_sha256_text(&hash, kind);
  if (strcmp(kind, "command") == 0)
    sl_sha256_text(&hash, path);
  else
    code = add_file(&hash, path, err);
  if (code == SL_OK && strcmp(kind, "launch") == 0)
    code = add_script(&hash, path, err);
  if (code == SL_OK && sl_run_text(run, "library")[0] != '\0')
    code = add_file(&hash, sl_run_text(run, "library"), err);
  json_array_foreach(json_object_get(run, "files"), i, file)
  {
    if (code == SL_OK)
      code = add_file(&hash, json_string_value(file), err);
  }
  if (code == SL_OK)
    code = add_memory(&hash, json_object_get(run, "memory"), err);
  if (code == SL_OK)
    code = add_memory(&hash, json_object_get(run, "expect"), err);
  sl_sha256_end(&hash, digest);
  return code;
}

void sl_run_hash(const json_t *run, const char *config, const char *program, const char *build,
                 char hash[SL_SHA256_TEXT])
{
  struct sl_sha256 sum;
  const uint64_t numbers[2] = {json_array_size(json_object_get(run, "arguments")),
                               (uint64_t)json_integer_value(json_object_get(run, "max-cycles"))};
  size_t i;
  json_t *word;
  sl_sha256_begin(&sum);
  sl_sha256_text(&sum, build);
  sl_sha256_text(&sum, config);
  sl_sha256_text(&sum, program);
  sl_sha256_add(&sum, numbers, sizeof numbers);
  json_array_foreach(json_object_get(run, "arguments"), i, word) sl_sha256_text(&sum, json_string_value(word));
  sl_sha256_text(&sum, sl_run_text(run, "size"));
  sl_sha256_text(&sum, sl_run_text(run, "seed"));
  sl_sha256_text(&sum, sl_run_text(run, "mode"));
  if (json_is_true(json_object_get(run, "whole")))
    sl_sha256_text(&sum, "whole program");
  static const char *const texts[] = {"prints", "energy", "build prints", "printed", "kernel"};
  for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
    if (sl_run_text(run, texts[t])[0] != '\0')
      sl_sha256_text(&sum, sl_run_text(run, texts[t]));
  const char *name;
  json_t *count, *counts = json_object_get(run, "counts");
  json_object_foreach(counts, name, count)
  {
    sl_sha256_text(&sum, name);
    sl_sha256_text(&sum, json_string_value(count));
  }
  sl_sha256_end(&sum, hash);
}

/* ---- files of results -------------------------------------------------------------------------------------------- */

enum { ATTEMPTS = 20 };

static bool path_of(const char *spool, const char *hash, char path[SL_SPOOL_PATH])
{
  const int n = snprintf(path, SL_SPOOL_PATH, "%s/%.2s/%s.json", spool, hash, hash);
  return n > 0 && n < SL_SPOOL_PATH;
}

static json_t *machine_json(const json_t *run, const struct sl_config *config)
{
  char digest[SL_SHA256_TEXT], settings[1024] = "";
  json_t *machine = sl_config_json(config);
  size_t i;
  json_t *setting;
  sl_config_digest(config, sl_run_text(run, "named")[0] != '\0', digest);
  json_array_foreach(json_object_get(run, "set"), i, setting)
  {
    const size_t used = strlen(settings);
    snprintf(settings + used, sizeof settings - used, "%s%s", i > 0 ? " " : "", json_string_value(setting));
  }
  sl_json_put(&machine, "hash", json_string(digest));
  sl_json_put(&machine, "settings", json_string(settings));
  return machine;
}

json_t *sl_result_json(const json_t *run, const struct sl_config *config, const char *program,
                       const struct sl_lab_build *build)
{
  const struct {
    const char *name, *text;
  } programs[] = {{"hash", program}, {"path", sl_run_text(run, "path")}, {"name", sl_run_text(run, "name")}},
    builds[] = {{"hash", build->hash}, {"host", build->host}, {"version", build->version}, {"commit", build->commit}};
  json_t *result = json_object(), *program_json = json_object(), *build_json = json_object();
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    sl_json_put(&program_json, programs[i].name, sl_json_text(programs[i].text));
  for (size_t i = 0; i < sizeof builds / sizeof *builds; i++)
    sl_json_put(&build_json, builds[i].name, sl_json_text(builds[i].text));
  sl_json_put(&result, "schema", json_integer(1));
  sl_json_put(&result, "run", json_deep_copy(run));
  sl_json_put(&result, "program", program_json);
  sl_json_put(&result, "machine", machine_json(run, config));
  sl_json_put(&result, "build", build_json);
  sl_json_put(&result, "at", json_integer((json_int_t)time(NULL)));
  return result;
}

void sl_result_end(json_t **result, const char *outcome, int status, const char *message, double seconds)
{
  sl_json_put(result, "outcome", json_string(outcome));
  sl_json_put(result, "status", json_integer(status));
  if (message[0] != '\0')
    sl_json_put(result, "message", sl_json_text(message));
  sl_json_put(result, "seconds", json_real(seconds));
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

bool sl_spool_has(const char *spool, const char *hash)
{
  char path[SL_SPOOL_PATH];
  return path_of(spool, hash, path) && access(path, F_OK) == 0;
}

/* Makes the folder of a file, and those above it that are missing. Another process may remove one at the same time;
 * then the file cannot be opened, and the caller tries again. */
static enum sl_status make_folders(char *path, struct sl_error *err)
{
  for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    const bool made = mkdir(path, 0777) == 0 || errno == EEXIST || errno == ENOENT;
    if (!made)
      return sl_fail(err, SL_USAGE, "%.300s: cannot be made (%s)", path, strerror(errno));
    *slash = '/';
  }
  return SL_OK;
}

static enum sl_status write_text(const char *path, const char *text, bool lasting, struct sl_error *err)
{
  struct sl_whole_file whole;
  const enum sl_status code = sl_whole_file_open(&whole, path, err);
  if (code != SL_OK)
    return code;
  fputs(text, whole.file); /* closing reports a failure */
  return sl_whole_file_close(&whole, lasting, err);
}

enum sl_status sl_spool_write(const char *spool, json_t *result, bool lasting, struct sl_error *err)
{
  char path[SL_SPOOL_PATH];
  char *text = json_dumps(result, JSON_COMPACT);
  enum sl_status code = text != NULL ? SL_OK : sl_no_memory(err, 1);
  if (code == SL_OK && !path_of(spool, sl_run_text(json_object_get(result, "run"), "hash"), path))
    code = sl_fail(err, SL_USAGE, "%.80s...: the name of the spool is too long", spool);
  /* Another sweep that ends removes empty folders. */
  bool written = false;
  for (unsigned i = 0; i < ATTEMPTS && code == SL_OK && !written; i++) {
    written = write_text(path, text, lasting, err) == SL_OK;
    if (!written)
      code = make_folders(path, err);
  }
  if (code == SL_OK && !written)
    code = write_text(path, text, lasting, err);
  free(text);
  json_decref(result);
  return code;
}

enum sl_status sl_result_merge(const json_t *result, struct sl_record *record, struct sl_merged *merged,
                               struct sl_error *err)
{
  *merged = (struct sl_merged){.passed = strcmp(sl_run_text(result, "outcome"), "passed") == 0,
                               .seconds = json_number_value(json_object_get(result, "seconds")),
                               .megabytes = (uint64_t)json_integer_value(json_object_get(result, "megabytes"))};
  snprintf(merged->message, sizeof merged->message, "%s: %s", sl_run_text(result, "outcome"),
           sl_run_text(result, "message"));
  return sl_record_add_result(record, result, err);
}

enum sl_status sl_spool_merge(const char *spool, const char *hash, struct sl_record *record, struct sl_merged *merged,
                              struct sl_error *err)
{
  char path[SL_SPOOL_PATH];
  json_error_t error;
  *merged = (struct sl_merged){0};
  json_t *result = path_of(spool, hash, path) ? json_load_file(path, 0, &error) : NULL;
  if (result == NULL && access(path, F_OK) == 0 && json_error_code(&error) == json_error_cannot_open_file)
    return sl_fail(err, SL_USAGE, "%.300s: cannot be read (%.100s)", path, error.text);
  merged->missing = result == NULL;
  if (merged->missing) {
    unlink(path); /* a power cut has left it incomplete; its run starts again */
    return SL_OK;
  }
  const enum sl_status code = sl_result_merge(result, record, merged, err);
  json_decref(result);
  return code;
}

void sl_spool_remove(const char *spool, const char *hash)
{
  char path[SL_SPOOL_PATH];
  if (path_of(spool, hash, path))
    unlink(path);
}

/* The results in a folder. Another process may add some meanwhile. */
struct results {
  char (*hash)[SL_SHA256_TEXT];
  size_t count;
};

/* A file that is not complete after an hour has lost its worker. */
static void remove_old(const char *spool, const char *name, const char *file)
{
  char path[SL_SPOOL_PATH + 256];
  struct stat status;
  snprintf(path, sizeof path, "%s/%s/%s", spool, name, file);
  if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_mtime + 3600 < time(NULL))
    unlink(path);
}

static enum sl_status list_results(const char *spool, const char *name, struct results *results, struct sl_error *err)
{
  char path[SL_SPOOL_PATH];
  snprintf(path, sizeof path, "%s/%s", spool, name);
  DIR *folder = opendir(path);
  if (folder == NULL)
    return errno == ENOENT ? SL_OK : sl_fail(err, SL_USAGE, "%.300s: cannot be read (%s)", path, strerror(errno));
  const struct dirent *entry;
  enum sl_status code = SL_OK;
  while (code == SL_OK && (entry = readdir(folder)) != NULL) {
    if (strlen(entry->d_name) != SL_SHA256_TEXT - 1 + strlen(".json")) {
      remove_old(spool, name, entry->d_name);
      continue;
    }
    char(*larger)[SL_SHA256_TEXT] = realloc(results->hash, (results->count + 1) * sizeof *larger);
    if (larger == NULL) {
      code = sl_no_memory(err, (results->count + 1) * sizeof *larger);
      break;
    }
    results->hash = larger;
    memcpy(larger[results->count], entry->d_name, SL_SHA256_TEXT - 1);
    larger[results->count++][SL_SHA256_TEXT - 1] = '\0';
  }
  closedir(folder);
  return code;
}

/* Merges the files of one folder in one transaction. */
static enum sl_status merge_folder(const char *spool, const char *name, struct sl_record *record, sl_spool_tell *tell,
                                   void *context, struct sl_error *err)
{
  struct results results = {0};
  struct sl_merged merged;
  enum sl_status code = list_results(spool, name, &results, err);
  if (code == SL_OK && results.count > 0) {
    code = sl_record_begin(record, err);
    for (size_t i = 0; i < results.count && code == SL_OK; i++) {
      code = sl_spool_merge(spool, results.hash[i], record, &merged, err);
      if (code == SL_OK && !merged.missing && tell != NULL)
        tell(context, results.hash[i], &merged);
    }
    const enum sl_status end = sl_record_commit(record, code == SL_OK ? err : NULL);
    code = code == SL_OK ? end : code;
  }
  for (size_t i = 0; i < results.count && code == SL_OK; i++)
    sl_spool_remove(spool, results.hash[i]);
  free(results.hash);
  return code;
}

enum sl_status sl_spool_merge_all(const char *spool, struct sl_record *record, sl_spool_tell *tell, void *context,
                                  struct sl_error *err)
{
  DIR *folder = opendir(spool);
  const struct dirent *entry;
  enum sl_status code = SL_OK;
  while (folder != NULL && code == SL_OK && (entry = readdir(folder)) != NULL)
    if (strlen(entry->d_name) == 2 && entry->d_name[0] != '.')
      code = merge_folder(spool, entry->d_name, record, tell, context, err);
  if (folder != NULL)
    closedir(folder);
  return code;
}

void sl_spool_close(const char *spool)
{
  DIR *folder = opendir(spool);
  const struct dirent *entry;
  char path[SL_SPOOL_PATH + 256];
  while (folder != NULL && (entry = readdir(folder)) != NULL)
    if (strlen(entry->d_name) == 2 && entry->d_name[0] != '.') {
      snprintf(path, sizeof path, "%s/%s", spool, entry->d_name);
      rmdir(path);
    }
  if (folder != NULL)
    closedir(folder);
  rmdir(spool);
}
