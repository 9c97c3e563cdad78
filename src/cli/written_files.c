#include "cli/written_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What stands between the parts of a word, such as the file of "m.yaml:lanes=8" and of "args=file(in.bin)". */
#define SEPARATORS ",:=()@"

/* An output, and where it is or will be. */
struct written {
  const char *option, *path;
  bool exists;
  struct stat status;
  char folder[PATH_MAX]; /* resolved; "": there is none */
  const char *name;      /* in it */
};

struct check {
  const struct sl_option *options;
  const struct sl_operands *operands;
};

/* The file of an item: of "NAME=FILE" what follows the name. */
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

static void look_at(struct written *w, const char *option, const char *path)
{
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/');
  *w = (struct written){.option = option, .path = path, .name = slash != NULL ? slash + 1 : path};
  w->exists = stat(path, &w->status) == 0;
  snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1, slash != NULL ? path : ".");
  if (realpath(folder, w->folder) == NULL)
    w->folder[0] = '\0';
}

/* Devices and pipes may be written and read by several. */
static bool is_same_file(const struct stat *a, const struct stat *b)
{
  return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_same_output(const struct written *a, const struct written *b)
{
  if (a->exists && b->exists)
    return is_same_file(&a->status, &b->status);
  return !a->exists && !b->exists && a->folder[0] != '\0' && strcmp(a->folder, b->folder) == 0 &&
         strcmp(a->name, b->name) == 0;
}

/* Whether a word is, or a part of it names, the file. */
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
  return sl_fail(err, SL_USAGE, "--%s %.200s would write over what is read: '%.200s' names the same file", w->option,
                 w->path, word);
}

static enum sl_status check_inputs(const struct check *c, const struct written *w, struct sl_error *err)
{
  for (int i = 0; i < c->operands->count; i++)
    if (names(c->operands->items[i], w))
      return is_read(w, c->operands->items[i], err);
  for (const struct sl_option *option = c->options; option->name != NULL; option++)
    for (size_t i = 0; !is_output(option) && i < item_count(option); i++)
      if (names(item(option, i), w))
        return is_read(w, item(option, i), err);
  return SL_OK;
}

/* The outputs before this one. */
static enum sl_status check_outputs(const struct check *c, const struct written *w, struct sl_error *err)
{
  struct written other;
  for (const struct sl_option *option = c->options; option->name != NULL; option++)
    for (size_t i = 0; is_output(option) && i < item_count(option); i++) {
      const char *path = file_of(option, item(option, i));
      if (path == w->path)
        return SL_OK;
      if (strcmp(path, "-") == 0)
        continue;
      look_at(&other, option->name, path);
      if (is_same_output(&other, w))
        return sl_fail(err, SL_USAGE, "--%s %.200s and --%s %.200s are one file; give them names of their own",
                       other.option, other.path, w->option, w->path);
    }
  return SL_OK;
}

enum sl_status sl_check_written_files(const struct sl_option *options, const struct sl_operands *operands,
                                      struct sl_error *err)
{
  const struct check c = {options, operands};
  enum sl_status code = SL_OK;
  struct written w;
  for (const struct sl_option *option = options; option->name != NULL; option++)
    for (size_t i = 0; is_output(option) && i < item_count(option) && code == SL_OK; i++) {
      const char *path = file_of(option, item(option, i));
      if (strcmp(path, "-") == 0)
        continue;
      look_at(&w, option->name, path);
      code = w.exists ? check_inputs(&c, &w, err) : SL_OK;
      if (code == SL_OK)
        code = check_outputs(&c, &w, err);
    }
  return code;
}
