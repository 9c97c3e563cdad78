#include "cli/written_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "device/script.h"

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

static const char *item(const struct sl_option *option, size_t index)
{
  if (option->kind == SL_OPTION_PAIR)
    return ((const struct sl_pair *)option->target)->second;
  return sl_is_list_option(option) ? ((const struct sl_list *)option->target)->items[index]
                                   : *(const char **)option->target;
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
    if (is_file(script->module, w))
      return is_read(w, script->module, c->err);
    for (unsigned i = 0; i < script->step_count; i++)
      if (script->steps[i].kind == SL_SCRIPT_STEP_BUFFER && is_file(script->steps[i].fill.path, w))
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
  struct written *grown = realloc(c->outputs, (c->count + 1) * sizeof *grown);
  if (grown == NULL)
    return sl_no_memory(c->err, (c->count + 1) * sizeof *grown);
  c->outputs = grown;
  grown[c->count] = (struct written){.dashes = dashes, .option = option, .path = path};
  look_at(&grown[c->count++]);
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
    struct sl_script *grown = realloc(c->scripts, (c->script_count + 1) * sizeof *grown);
    if (grown == NULL) {
      sl_script_free(&script);
      return sl_no_memory(c->err, (c->script_count + 1) * sizeof *grown);
    }
    c->scripts = grown;
    grown[c->script_count++] = script;
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

enum sl_status sl_check_written_files(const struct sl_option *options, const struct sl_operands *operands,
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
