#include "cli/options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "cli/help/help.h"
#include "device/script.h"

/* Checks that no output file is also an input, and that all outputs are different files. */

/* Separators within a word that names a file, such as "m.yaml:lanes=8" and "args=file(in.bin)". */
#define SEPARATORS ",:=()@"

/* An output file and its path. */
struct written {
  const char *dashes, *option, *path;
  bool exists;
  struct stat status;
  char folder[PATH_MAX]; /* resolved folder; "": it does not exist */
  const char *name;      /* name in it */
};

/* All outputs in the order of the options, then those of launch scripts. */
struct check {
  const struct sl_option *options;
  const struct sl_operands *operands;
  struct sl_script *scripts; /* operands that are readable launch scripts */
  size_t script_count;
  struct written *outputs;
  size_t count;
  struct sl_error *err;
};

static const char *item(const struct sl_option *option, size_t index)
{
  if (option->kind == SL_OPTION_PAIR)
    return ((const struct sl_pair *)option->target)->second;
  return sl_is_list_option(option) ? ((const struct sl_list *)option->target)->items[index]
                                   : *(const char **)option->target;
}

/* The file of an item: for "NAME=FILE" the part after the name. */
static const char *file_of(const struct sl_option *option, const char *item)
{
  const char *equals = option->kind == SL_OPTION_OUTPUTS ? strchr(item, '=') : NULL;
  return equals != NULL ? equals + 1 : item;
}

static size_t item_count(const struct sl_option *option)
{
  switch (option->kind) {
  case SL_OPTION_TEXT:
  case SL_OPTION_OUTPUT: return option->target != NULL && *(const char **)option->target != NULL;
  case SL_OPTION_LIST:
  case SL_OPTION_OUTPUTS: return ((const struct sl_list *)option->target)->count;
  case SL_OPTION_PAIR: return ((const struct sl_pair *)option->target)->second != NULL;
  case SL_OPTION_FLAG:
  case SL_OPTION_NUMBER: break;
  }
  return 0;
}

static bool is_output(const struct sl_option *option)
{
  return option->kind == SL_OPTION_OUTPUT || option->kind == SL_OPTION_OUTPUTS || option->kind == SL_OPTION_PAIR;
}

static void look_at(struct written *w)
{
  char folder[PATH_MAX];
  const char *slash = strrchr(w->path, '/');
  w->name = slash != NULL ? slash + 1 : w->path;
  w->exists = stat(w->path, &w->status) == 0;
  snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - w->path) + 1 : 1,
           slash != NULL ? w->path : ".");
  if (realpath(folder, w->folder) == NULL)
    w->folder[0] = '\0';
}

/* Devices and pipes may be both read and written, by several options. */
static bool is_same_file(const struct stat *a, const struct stat *b)
{
  return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_same_output(const struct written *a, const struct written *b)
{
  if (strcmp(a->path, "-") == 0 || strcmp(b->path, "-") == 0)
    return strcmp(a->path, b->path) == 0;
  if (a->exists && b->exists)
    return is_same_file(&a->status, &b->status);
  return !a->exists && !b->exists && a->folder[0] != '\0' && strcmp(a->folder, b->folder) == 0 &&
         strcmp(a->name, b->name) == 0;
}

/* Whether a word, or a part of it, names the file. */
static bool names(const char *word, const struct written *w)
{
  char part[PATH_MAX];
  struct stat status;
  if (stat(word, &status) == 0 && is_same_file(&w->status, &status))
    return true;
  for (const char *at = word; *at != '\0'; at += strspn(at, SEPARATORS)) {
    const size_t length = strcspn(at, SEPARATORS);
    if (length > 0 && length < sizeof part) {
      memcpy(part, at, length);
      part[length] = '\0';
      if (stat(part, &status) == 0 && is_same_file(&w->status, &status))
        return true;
    }
    at += length;
  }
  return false;
}

static enum sl_status is_read(const struct written *w, const char *word, struct sl_error *err)
{
  return sl_fail(err, SL_USAGE, "%s%s %.200s would overwrite an input: '%.200s' names the same file", w->dashes,
                 w->option, w->path, word);
}

static bool is_file(const char *path, const struct written *w)
{
  struct stat status;
  return path[0] != '\0' && stat(path, &status) == 0 && is_same_file(&w->status, &status);
}

/* Files that launch scripts read: their module, and the contents of buffers. */
static enum sl_status check_scripts(const struct check *c, const struct written *w)
{
  for (const struct sl_script *script = c->scripts; script < c->scripts + c->script_count; script++) {
    for (unsigned i = 0; i < script->module_count; i++)
      if (is_file(script->modules[i], w))
        return is_read(w, script->modules[i], c->err);
    for (unsigned i = 0; i < script->step_count; i++)
      if (is_file(script->steps[i].fill.path, w))
        return is_read(w, script->steps[i].fill.path, c->err);
  }
  return SL_OK;
}

static enum sl_status check_inputs(const struct check *c, const struct written *w)
{
  for (int i = 0; i < c->operands->count; i++)
    if (names(c->operands->items[i], w))
      return is_read(w, c->operands->items[i], c->err);
  for (const struct sl_option *option = c->options; option->name != NULL; option++)
    for (size_t i = 0; !is_output(option) && i < item_count(option); i++)
      if (names(item(option, i), w))
        return is_read(w, item(option, i), c->err);
  return check_scripts(c, w);
}

/* The preceding outputs. */
static enum sl_status check_outputs(const struct check *c, const struct written *w)
{
  for (const struct written *other = c->outputs; other < w; other++)
    if (is_same_output(other, w))
      return sl_fail(c->err, SL_USAGE, "%s%s %.200s and %s%s %.200s are the same file; give them different names",
                     other->dashes, other->option, other->path, w->dashes, w->option, w->path);
  return SL_OK;
}

static enum sl_status add(struct check *c, const char *dashes, const char *option, const char *path)
{
  if (!SL_GROW(c->outputs, c->count))
    return sl_no_memory(c->err, (c->count + 1) * sizeof *c->outputs);
  c->outputs[c->count] = (struct written){.dashes = dashes, .option = option, .path = path};
  look_at(&c->outputs[c->count++]);
  return SL_OK;
}

/* The command reports unreadable files itself. */
static enum sl_status load_scripts(struct check *c)
{
  enum sl_status code = SL_OK;
  for (int i = 0; i < c->operands->count && code == SL_OK; i++) {
    struct sl_script script = {0};
    struct sl_error none;
    if (!sl_is_script(c->operands->items[i]) || sl_script_load(&script, c->operands->items[i], &none) != SL_OK)
      continue;
    if (!SL_GROW(c->scripts, c->script_count)) {
      sl_script_free(&script);
      return sl_no_memory(c->err, (c->script_count + 1) * sizeof *c->scripts);
    }
    c->scripts[c->script_count++] = script;
  }
  for (const struct sl_script *script = c->scripts; script < c->scripts + c->script_count; script++)
    for (unsigned i = 0; i < script->step_count && code == SL_OK; i++)
      if (script->steps[i].kind == SL_SCRIPT_STEP_DUMP)
        code = add(c, "", "dump", script->steps[i].path);
  return code;
}

static enum sl_status check_all(struct check *c)
{
  enum sl_status code = SL_OK;
  for (const struct sl_option *option = c->options; option->name != NULL; option++)
    for (size_t i = 0; is_output(option) && i < item_count(option) && code == SL_OK; i++)
      code = add(c, "--", option->name, file_of(option, item(option, i)));
  if (code == SL_OK)
    code = load_scripts(c);
  for (const struct written *w = c->outputs; w < c->outputs + c->count && code == SL_OK; w++) {
    code = w->exists && strcmp(w->path, "-") != 0 ? check_inputs(c, w) : SL_OK;
    if (code == SL_OK)
      code = check_outputs(c, w);
  }
  return code;
}

/* Compares a command's outputs by device and inode, if they exist, with each other and with all files that its other
 * words and its launch scripts name. */
static enum sl_status check_written_files(const struct sl_option *options, const struct sl_operands *operands,
                                          struct sl_error *err)
{
  struct check c = {.options = options, .operands = operands, .err = err};
  const enum sl_status code = check_all(&c);
  for (size_t i = 0; i < c.script_count; i++)
    sl_script_free(&c.scripts[i]);
  free(c.scripts);
  free(c.outputs);
  return code;
}

enum sl_status sl_unknown(struct sl_error *err, const char *what, const char *word, const char *const *valid,
                          size_t count)
{
  struct sl_nearest nearest;
  char all[400] = "";
  bool whole = true;
  sl_nearest_begin(&nearest, word);
  for (size_t i = 0; i < count; i++) {
    const size_t used = strlen(all), room = sizeof all - used;
    sl_nearest_offer(&nearest, valid[i]);
    const int n = snprintf(all + used, room, "%s%s", used > 0 ? ", " : "", valid[i]);
    whole = whole && n >= 0 && (size_t)n < room;
  }
  if (nearest.name != NULL)
    return sl_fail(err, SL_USAGE, "unknown %s '%.80s'; did you mean '%s'?", what, word, nearest.name);
  return sl_fail(err, SL_USAGE, "unknown %s '%.80s'; there are %s%s", what, word, all, whole ? "" : "...");
}

static enum sl_status unknown_option(const struct sl_option *options, const char *word, struct sl_error *err)
{
  struct sl_nearest nearest;
  sl_nearest_begin(&nearest, word);
  for (const struct sl_option *option = sl_common_options(NULL); option->name != NULL; option++)
    sl_nearest_offer(&nearest, option->name);
  for (const struct sl_option *option = options; option->name != NULL; option++)
    sl_nearest_offer(&nearest, option->name);
  if (nearest.name != NULL)
    return sl_fail(err, SL_USAGE, "unknown option '--%.80s'; did you mean '--%s'?", word, nearest.name);
  return sl_fail(err, SL_USAGE, "unknown option '--%.80s'; --help lists the options", word);
}

static const struct sl_option *find_long(const struct sl_option *options, const char *name, size_t length)
{
  for (const struct sl_option *option = options; option->name != NULL; option++)
    if (strlen(option->name) == length && strncmp(option->name, name, length) == 0)
      return option;
  return NULL;
}

/* --machine and --machines count as one option; each command has one of them. */
static const struct sl_option *find_machines(const struct sl_option *options, const char *name, size_t length)
{
  static const char one[] = "machine", several[] = "machines";
  if (length == strlen(one) && strncmp(name, one, length) == 0)
    return find_long(options, several, strlen(several));
  if (length == strlen(several) && strncmp(name, several, length) == 0)
    return find_long(options, one, strlen(one));
  return NULL;
}

static const struct sl_option *find_short(const struct sl_option *options, char letter)
{
  for (const struct sl_option *option = options; option->name != NULL; option++)
    if (option->letter != 0 && option->letter == letter)
      return option;
  return NULL;
}

static enum sl_status take_number(const struct sl_option *option, const char *text, struct sl_error *err)
{
  uint64_t value;
  if (!sl_read_number(text, &value) || value == 0)
    return sl_fail(err, SL_USAGE, "--%s takes a number from 1, not '%.80s'", option->name, text);
  *(uint64_t *)option->target = value;
  return SL_OK;
}

static enum sl_status take_value(const struct sl_option *option, const char *text, struct sl_error *err)
{
  struct sl_list *list = option->target;
  switch (option->kind) {
  case SL_OPTION_FLAG: *(bool *)option->target = true; return SL_OK;
  case SL_OPTION_OUTPUT:
  case SL_OPTION_TEXT: *(const char **)option->target = text; return SL_OK;
  case SL_OPTION_NUMBER: return take_number(option, text, err);
  case SL_OPTION_OUTPUTS:
  case SL_OPTION_LIST:
    if (list->count == SL_LIST_MOST)
      return sl_fail(err, SL_USAGE, "--%s is given more than %d times", option->name, SL_LIST_MOST);
    list->items[list->count++] = text;
    return SL_OK;
  case SL_OPTION_PAIR: ((struct sl_pair *)option->target)->first = text; return SL_OK;
  }
  return SL_OK;
}

/* Parser state: the remaining words. */
struct words {
  char **next;
  char **end;
  const char *colour; /* --color, for all commands that print tables */
};

/* The printing functions read colours from the environment (observe/terminal.h); the option sets that variable for this
 * run. */
static enum sl_status choose_colour(const char *when, struct sl_error *err)
{
  static const char *const times[] = {"auto", "always", "never"};
  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
    if (strcmp(when, times[i]) == 0)
      return setenv("SIMTLAB_COLOR", when, 1) == 0 ? SL_OK : sl_no_memory(err, strlen(when));
  return sl_unknown(err, "time for --color", when, times, sizeof times / sizeof times[0]);
}

static enum sl_status take_option(const struct sl_option *option, const char *attached, struct words *words,
                                  struct sl_error *err)
{
  if (option->kind == SL_OPTION_FLAG)
    return attached == NULL ? take_value(option, "", err) : sl_fail(err, SL_USAGE, "--%s takes no value", option->name);
  if (attached == NULL && words->next == words->end)
    return sl_fail(err, SL_USAGE, "--%s needs a value: %s", option->name, option->argument);
  const enum sl_status code = take_value(option, attached != NULL ? attached : *words->next++, err);
  if (code != SL_OK || option->kind != SL_OPTION_PAIR)
    return code;
  if (words->next == words->end)
    return sl_fail(err, SL_USAGE, "--%s needs two values: %s", option->name, option->argument);
  ((struct sl_pair *)option->target)->second = *words->next++;
  return SL_OK;
}

static enum sl_status take_long(const struct sl_option *options, const char *word, struct words *words,
                                struct sl_error *err)
{
  const char *equals = strchr(word, '=');
  size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
  const struct sl_option *option = find_long(options, word, length);
  if (option == NULL)
    option = find_machines(options, word, length);
  const struct sl_option *common = option == NULL ? find_long(sl_common_options(NULL), word, length) : NULL;
  struct sl_option colour = {0};
  if (common != NULL) { /* --help does not reach this function */
    colour = *common;
    colour.target = &words->colour;
    option = &colour;
  }
  if (option == NULL) {
    char name[81];
    snprintf(name, sizeof name, "%.*s", (int)(length < 80 ? length : 80), word);
    return unknown_option(options, name, err);
  }
  return take_option(option, equals != NULL ? equals + 1 : NULL, words, err);
}

/* A word of letters: several flags, or a letter followed directly by its value. */
static enum sl_status take_letters(const struct sl_option *options, const char *letters, struct words *words,
                                   struct sl_error *err)
{
  for (; *letters != '\0'; letters++) {
    const struct sl_option *option = find_short(options, *letters);
    if (option == NULL)
      return sl_fail(err, SL_USAGE, "unknown option '-%c'; --help lists the options", *letters);
    bool flag = option->kind == SL_OPTION_FLAG;
    enum sl_status code = take_option(option, flag || letters[1] == '\0' ? NULL : letters + 1, words, err);
    if (code != SL_OK || !flag)
      return code;
  }
  return SL_OK;
}

/* After a program, an unknown option may be meant for the program. */
static enum sl_status tell_dashes(const struct sl_command *command, struct sl_error *err)
{
  static const char unknown[] = "unknown option";
  const struct sl_error told = *err;
  if (strstr(command->operands, "ARGUMENT") == NULL || strncmp(told.text, unknown, strlen(unknown)) != 0)
    return told.code;
  return sl_fail(err, told.code, "%.500s%s Arguments of the program that begin with - come after --", told.text,
                 told.text[strlen(told.text) - 1] == '?' ? "" : ".");
}

enum sl_status sl_options_parse(const struct sl_command *command, const struct sl_option *options, int argc,
                                char **argv, struct sl_operands *operands, struct sl_error *err)
{
  struct words words = {argv + 1, argv + argc, NULL};
  *operands = (struct sl_operands){.items = argv + 1};
  bool ended = false, dashed = false;
  while (words.next < words.end) {
    char *word = *words.next++;
    enum sl_status code = SL_OK;
    if (ended || word[0] != '-' || word[1] == '\0') {
      operands->items[operands->count++] = word;
    } else if (strcmp(word, "--") == 0) {
      ended = dashed = true;
      operands->first = operands->count;
    } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
      operands->help = true;
      sl_print_help(command, options);
      return SL_OK;
    } else {
      code = word[1] == '-' ? take_long(options, word + 2, &words, err) : take_letters(options, word + 1, &words, err);
    }
    if (code != SL_OK)
      return operands->count > 0 ? tell_dashes(command, err) : code;
  }
  if (!dashed)
    operands->first = operands->count;
  if (words.colour != NULL && choose_colour(words.colour, err) != SL_OK)
    return err->code;
  return check_written_files(options, operands, err);
}

void sl_print_help(const struct sl_command *command, const struct sl_option *options)
{
  const struct sl_option_reader *reader = command->reader;
  if (reader != NULL)
    reader->read(reader->context, command, options);
  else
    sl_help_print(command, options);
}

enum sl_status sl_read_options(const struct sl_command *command, const struct sl_command *const *all,
                               const struct sl_option_reader *reader, struct sl_error *err)
{
  char word[] = "--help", *argv[] = {NULL, word, NULL};
  struct sl_command asked = *command;
  asked.reader = reader;
  asked.all = all;
  return asked.run(&asked, 2, argv, err);
}

enum sl_status sl_open_machine(const struct sl_machine_choice *choice, struct sl_config *config, struct sl_error *err)
{
  const bool several = strchr(choice->machine, ',') != NULL && access(choice->machine, R_OK) != 0;
  enum sl_status code =
      several ? sl_fail(err, SL_USAGE, "'%.200s' is a list of machines; simtlab compare takes lists", choice->machine)
              : sl_config_open(config, choice->machine, err);
  if (code != SL_OK)
    return code;
  for (size_t i = 0; i < choice->set.count && code == SL_OK; i++) {
    code = sl_config_set(config, choice->set.items[i], err);
    if (code != SL_OK)
      sl_error_prefix(err, "--set: ");
  }
  if (code == SL_OK)
    code = sl_config_check(config, err);
  if (code != SL_OK)
    sl_config_close(config);
  return code;
}

enum sl_status sl_choose_engine(const char *name, bool fast, enum sl_execution_mode *mode, struct sl_error *err)
{
  static const char *const engines[] = {[SL_MODE_EMITTED] = "emitted",
                                        [SL_MODE_EMITTED_AVX2] = "avx2",
                                        [SL_MODE_BLOCKS] = "blocks",
                                        [SL_MODE_INSTRUCTIONS] = "instructions"};
  enum { ENGINES = sizeof engines / sizeof *engines };
  unsigned i = 0;
  while (name != NULL && i < ENGINES && strcmp(name, engines[i]) != 0)
    i++;
  if (i == ENGINES)
    return sl_unknown(err, "engine", name, engines, ENGINES);
  if (name != NULL && !fast)
    return sl_fail(err, SL_USAGE, "--engine selects how a run without timing executes: give --fast too");
  *mode = (enum sl_execution_mode)i;
  return SL_OK;
}

const struct sl_command *sl_command_find(const struct sl_command *const *commands, const char *name,
                                         struct sl_error *err)
{
  const char *names[SL_COMMANDS_MOST];
  size_t count = 0;
  for (; commands[count] != NULL && count < SL_COMMANDS_MOST; count++) {
    names[count] = commands[count]->name;
    if (strcmp(name, names[count]) == 0)
      return commands[count];
  }
  sl_unknown(err, name[0] == '-' ? "option" : "command", name, names, count);
  return NULL;
}
