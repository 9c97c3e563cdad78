#include "compiler/cc/wide_options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/isa64/compile_mir.h"

/* Takes over the text. */
static void add_own(struct sl_words *words, char *text)
{
  if (text != NULL && words->count + 1 >= words->capacity) {
    const size_t capacity = 2 * words->capacity + 64;
    char **grown = realloc(words->items, capacity * sizeof *grown);
    if (grown == NULL) {
      free(text);
      text = NULL;
    } else {
      words->items = grown;
      words->capacity = capacity;
    }
  }
  if (text == NULL) {
    words->lost = true;
    return;
  }
  words->items[words->count++] = text;
  words->items[words->count] = NULL;
}

void sl_words_add(struct sl_words *words, const char *word)
{
  add_own(words, strdup(word));
}

void sl_words_add_all(struct sl_words *words, const char *const *more)
{
  for (; more != NULL && *more != NULL; more++)
    sl_words_add(words, *more);
}

void sl_words_add_text(struct sl_words *words, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  const int length = vsnprintf(NULL, 0, format, list);
  va_end(list);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text != NULL) {
    va_start(list, format);
    vsnprintf(text, (size_t)length + 1, format, list);
    va_end(list);
  }
  add_own(words, text);
}

void sl_words_free(struct sl_words *words)
{
  for (size_t i = 0; i < words->count; i++)
    free(words->items[i]);
  free(words->items);
  *words = (struct sl_words){0};
}

/* Every program contains code of the stock compilers, for which these registers are as in RISC-V. */
enum { OF_RISCV = 32 };

static enum sl_status read_name(const char *option, const char *word, const char *const *names, unsigned *value,
                                struct sl_error *err)
{
  for (*value = 0; word != NULL && names[*value] != NULL; ++*value)
    if (strcmp(names[*value], word) == 0)
      return SL_OK;
  return word == NULL ? SL_OK
                      : sl_fail(err, SL_USAGE, "%s %.40s is unknown: it is %s, %s%s%s or %s", option, word, names[0],
                                names[1], names[3] != NULL ? ", " : "", names[3] != NULL ? names[2] : "",
                                names[3] != NULL ? names[3] : names[2]);
}

static enum sl_status read_number(const char *option, const char *word, unsigned least, unsigned most, unsigned *value,
                                  struct sl_error *err)
{
  char *end;
  if (word == NULL)
    return SL_OK;
  const unsigned long number = strtoul(word, &end, 10);
  if (word[0] < '0' || word[0] > '9' || *end != '\0' || number < least || number > most)
    return sl_fail(err, SL_USAGE, "%s is %u to %u, not '%.40s'", option, least, most, word);
  *value = (unsigned)number;
  return SL_OK;
}

static bool read_register(const char **at, unsigned *reg)
{
  char *end;
  const unsigned long number = strtoul(*at, &end, 10);
  const bool is = **at >= '0' && **at <= '9' && number >= OF_RISCV && number < SL_REGISTERS;
  *at = end;
  *reg = (unsigned)number;
  return is;
}

static enum sl_status read_saved(bool *saved, const char *word, struct sl_error *err)
{
  if (word == NULL)
    return SL_OK;
  memset(saved + OF_RISCV, 0, SL_REGISTERS - OF_RISCV);
  if (strcmp(word, "none") == 0)
    return SL_OK;
  for (const char *at = word;; at++) {
    unsigned first, last;
    bool right = read_register(&at, &first);
    last = first;
    if (right && *at == '-') {
      at++;
      right = read_register(&at, &last) && first <= last;
    }
    if (!right || (*at != ',' && *at != '\0'))
      return sl_fail(err, SL_USAGE,
                     "--saved %.60s: write numbers of registers from %d to %d as in 40,48-95, or none; those below are "
                     "RISC-V's, as in the libraries",
                     word, OF_RISCV, SL_REGISTERS - 1);
    memset(saved + first, 1, last - first + 1);
    if (*at == '\0')
      return SL_OK;
  }
}

const char *sl_wide_words_given(const struct sl_wide_words *words)
{
  return words->allocation != NULL  ? "--allocation"
         : words->registers != NULL ? "--registers"
         : words->banks != NULL     ? "--banks"
         : words->map != NULL       ? "--bank-map"
         : words->saved != NULL     ? "--saved"
                                    : NULL;
}

static enum sl_status check_stock(const struct sl_wide_words *words, struct sl_error *err)
{
  struct sl_wide_words others = *words;
  others.allocation = NULL;
  const char *given = sl_wide_words_given(&others);
  return given == NULL ? SL_OK
                       : sl_fail(err, SL_USAGE,
                                 "%s: --allocation stock is code for RISC-V's 32 registers, whatever their banks; "
                                 "leave one of the two out",
                                 given);
}

enum sl_status sl_wide_options_read(struct sl_wide_options *options, const struct sl_wide_words *words,
                                    struct sl_error *err)
{
  static const char *const allocations[] = {
      [SL_UNAWARE] = "unaware", [SL_FIRST_FIT] = "first-fit", [SL_COST] = "cost", "stock", NULL};
  static const char *const maps[] = {
      [SL_BANK_MODULO] = "modulo", [SL_BANK_BLOCKS] = "blocks", [SL_BANK_FOLDED] = "folded", NULL};
  const struct sl_backend_options defaults = sl_backend_defaults();
  struct sl_registers convention;
  unsigned allocation = 0, map = 0;
  *options = (struct sl_wide_options){.registers = defaults.registers, .banks = defaults.banks};
  enum sl_status code = sl_registers_init(&convention, SL_REGISTERS, 1, NULL, NULL, err);
  memcpy(options->saved, convention.saved, sizeof options->saved);
  if (code == SL_OK)
    code = read_name("--allocation", words->allocation, allocations, &allocation, err);
  if (code == SL_OK)
    code = read_name("--bank-map", words->map, maps, &map, err);
  if (code == SL_OK)
    code = read_number("--registers", words->registers, SL_LEAST_REGISTERS, SL_REGISTERS, &options->registers, err);
  if (code == SL_OK)
    code = read_number("--banks", words->banks, 1, SL_MOST_BANKS, &options->banks, err);
  if (code == SL_OK)
    code = read_saved(options->saved, words->saved, err);
  options->stock = words->allocation != NULL && allocation == SL_ALLOCATIONS;
  options->allocation = words->allocation == NULL ? defaults.allocation : (enum sl_allocation)allocation;
  options->map = (enum sl_bank_map)map;
  return code == SL_OK && options->stock ? check_stock(words, err) : code;
}
