/* Configuration files and --set. Input: the text of a file, and after its first zero byte assignments, each ended by
 * a zero byte. */
#include <string.h>

#include "config/config.h"
#include "harness.h"

enum { MOST_ASSIGNMENTS = 32 };

static void require_sentence(enum sl_status code, const struct sl_error *err)
{
  REQUIRE(code == SL_USAGE && err->code == code);
  REQUIRE(err->text[0] != '\0' && memchr(err->text, '\0', sizeof err->text) != NULL);
}

/* The printed value of a key sets it to the same value again, and every value is in its range. */
static void check_key(struct sl_config *config, const struct sl_key *key)
{
  struct sl_error err = {0};
  char value[64], range[160];
  const uint32_t before = sl_key_value(key, config->spec);
  sl_key_format(key, before, value, sizeof value);
  sl_key_range(key, range, sizeof range);
  REQUIRE(before >= key->least && before <= key->greatest);
  REQUIRE(sl_key_set(config->machine->keys, config->spec, key->name, value, &err) == SL_OK);
  REQUIRE(sl_key_value(key, config->spec) == before);
}

static void check_config(struct sl_config *config)
{
  REQUIRE(config->machine != NULL && config->spec != NULL);
  REQUIRE(memchr(config->name, '\0', sizeof config->name) != NULL);
  REQUIRE(memchr(config->summary, '\0', sizeof config->summary) != NULL);
  for (size_t i = 0; i < config->machine->keys->count; i++)
    check_key(config, &config->machine->keys->key[i]);
}

static void assign(struct sl_config *config, const char *assignment)
{
  struct sl_error err = {0};
  enum sl_status code = sl_config_set(config, assignment, &err);
  if (code != SL_OK)
    require_sentence(code, &err);
}

/* A copy that ends with a zero byte. */
static char *text_of(const uint8_t *data, size_t size)
{
  char *text = malloc(size + 1);
  if (text != NULL && size > 0)
    memcpy(text, data, size);
  if (text != NULL)
    text[size] = '\0';
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const uint8_t *end = size > 0 ? memchr(data, '\0', size) : NULL;
  const size_t length = end != NULL ? (size_t)(end - data) : size;
  struct sl_config config;
  struct sl_error err = {0};
  char *text = text_of(data, size);
  if (text == NULL)
    return 0;
  enum sl_status code = sl_config_parse(&config, "fuzz.yaml", (const char *)data, length, &err);
  if (code != SL_OK) {
    require_sentence(code, &err);
    REQUIRE(strncmp(err.text, "fuzz.yaml:", 10) == 0 || strstr(err.text, ".yaml:") != NULL);
    code = sl_config_open(&config, "simtight", &err);
    REQUIRE(code == SL_OK);
  }
  check_config(&config);
  size_t at = length + 1;
  for (unsigned i = 0; at < size && i < MOST_ASSIGNMENTS; i++, at += strlen(text + at) + 1)
    assign(&config, text + at);
  check_config(&config);
  code = sl_config_check(&config, &err);
  if (code != SL_OK)
    require_sentence(code, &err);
  sl_config_close(&config);
  free(text);
  return 0;
}
