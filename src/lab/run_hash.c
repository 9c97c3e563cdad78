#include "lab/run_hash.h"

#include <stdio.h>
#include <string.h>

#include "device/script.h"

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
