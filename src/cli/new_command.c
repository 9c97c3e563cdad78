/* simtlab new: folders to begin with, from the files of templates/. NAME in a file and in its name is replaced. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "cli/options.h"

enum { MOST_NAME = 60, PATH = 200 };

static const struct template
{
  const char *kind, *file, *text;
}
templates[] = {
#include "templates.inc"
};
enum { TEMPLATES = sizeof templates / sizeof templates[0] };

/* Kernels have the name, too, so it is one of C. */
static enum sl_status check_name(const char *name, struct sl_error *err)
{
  bool valid = isalpha((unsigned char)name[0]) && strlen(name) <= MOST_NAME;
  for (const char *p = name; *p != '\0'; p++)
    valid = valid && (isalnum((unsigned char)*p) || *p == '_');
  return valid
             ? SL_OK
             : sl_fail(err, SL_USAGE,
                       "'%.80s' cannot be the name: it takes up to %d letters, digits and _, and begins with a letter",
                       name, MOST_NAME);
}

static void put_replaced(FILE *file, const char *text, const char *name)
{
  for (const char *next; (next = strstr(text, "NAME")) != NULL; text = next + strlen("NAME")) {
    fwrite(text, 1, (size_t)(next - text), file);
    fputs(name, file);
  }
  fputs(text, file);
}

static void path_of(char path[PATH], const struct template *template, const char *name)
{
  const bool named = strncmp(template->file, "NAME", 4) == 0;
  snprintf(path, PATH, "%s/%s%s", name, named ? name : "", named ? template->file + 4 : template->file);
}

static enum sl_status write_file(const struct template *template, const char *name, struct sl_error *err)
{
  char path[PATH];
  struct sl_whole_file file;
  path_of(path, template, name);
  const enum sl_status code = sl_whole_file_open(&file, path, err);
  if (code != SL_OK)
    return code;
  put_replaced(file.file, template->text, name);
  return sl_whole_file_close(&file, false, err);
}

/* The folder is new. After an error it is gone again. */
static enum sl_status make(const char *kind, const char *name, struct sl_error *err)
{
  char path[PATH];
  enum sl_status code = SL_OK;
  if (mkdir(name, 0777) != 0)
    return sl_fail(err, SL_USAGE, errno == EEXIST ? "%s exists; choose another name" : "%s: the folder cannot be made",
                   name);
  for (size_t i = 0; i < TEMPLATES && code == SL_OK; i++)
    if (strcmp(templates[i].kind, kind) == 0)
      code = write_file(&templates[i], name, err);
  for (size_t i = 0; i < TEMPLATES; i++)
    if (strcmp(templates[i].kind, kind) == 0) {
      path_of(path, &templates[i], name);
      if (code == SL_OK)
        printf("%s\n", path);
      else
        unlink(path);
    }
  if (code != SL_OK)
    rmdir(name);
  else
    printf("next: make -C %s test\n", name);
  return code;
}

static enum sl_status new_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  static const struct sl_option options[] = {{0}};
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count != 2)
    return sl_fail(err, SL_USAGE, "new takes a kind and a name: simtlab new kernel NAME, or simtlab new study NAME");
  const char *kind = operands.items[0];
  if (strcmp(kind, "kernel") != 0 && strcmp(kind, "study") != 0)
    return sl_fail(err, SL_USAGE, "new makes a kernel or a study, not '%.80s'", kind);
  code = check_name(operands.items[1], err);
  return code == SL_OK ? make(kind, operands.items[1], err) : code;
}

const struct sl_command sl_new_command = {
    .name = "new",
    .operands = "kernel|study NAME",
    .summary = "Make a folder to begin with: a kernel, or a study",
    .details = "kernel: a program with a kernel and its check, a Makefile and a study.\n"
               "study: a study file, a program for it and a Makefile.\n"
               "make -C NAME test runs it.\n",
    .run = new_command,
};
