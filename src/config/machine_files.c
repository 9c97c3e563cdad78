#include "config/machine_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "SIMTLAB_MACHINES"
#define ENDING ".yaml"

static const char *all_folders(void)
{
  const char *folders = getenv(VARIABLE);
  return folders != NULL ? folders : "";
}

bool sl_machine_file(const char *name, char path[SL_MACHINE_PATH])
{
  for (const char *folder = all_folders(); *folder != '\0';) {
    const size_t length = strcspn(folder, ":");
    const int n = snprintf(path, SL_MACHINE_PATH, "%.*s/%s" ENDING, (int)length, folder, name);
    if (length > 0 && n > 0 && n < SL_MACHINE_PATH && access(path, F_OK) == 0)
      return true;
    folder += length + (folder[length] == ':');
  }
  return false;
}

static bool is_hidden(const struct sl_machine_files *files, const char *name)
{
  for (size_t i = 0; i < files->count; i++)
    if (strcmp(files->file[i].name, name) == 0)
      return true;
  return false;
}

static enum sl_status add_file(struct sl_machine_files *files, const char *folder, const char *entry,
                               struct sl_error *err)
{
  const size_t length = strlen(entry), ending = sizeof ENDING - 1;
  if (length <= ending || length - ending >= SL_MACHINE_NAME || strcmp(entry + length - ending, ENDING) != 0)
    return SL_OK;
  struct sl_machine_file *larger = realloc(files->file, (files->count + 1) * sizeof *larger);
  if (larger == NULL)
    return sl_no_memory(err, (files->count + 1) * sizeof *larger);
  files->file = larger;
  struct sl_machine_file *file = &larger[files->count];
  *file = (struct sl_machine_file){.folder = folder};
  memcpy(file->name, entry, length - ending);
  file->hidden = is_hidden(files, file->name);
  files->count++;
  return SL_OK;
}

static enum sl_status read_folder(struct sl_machine_files *files, const char *folder, struct sl_error *err)
{
  DIR *entries = opendir(folder);
  if (entries == NULL)
    return sl_fail(err, SL_USAGE, VARIABLE ": %.200s cannot be read (%s)", folder, strerror(errno));
  enum sl_status code = SL_OK;
  for (struct dirent *entry; code == SL_OK && (entry = readdir(entries)) != NULL;)
    code = add_file(files, folder, entry->d_name, err);
  closedir(entries);
  return code;
}

static int compare_files(const void *a, const void *b)
{
  const struct sl_machine_file *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  return order != 0 ? order : x->hidden - y->hidden;
}

enum sl_status sl_machine_files_read(struct sl_machine_files *files, struct sl_error *err)
{
  enum sl_status worst = SL_OK;
  *files = (struct sl_machine_files){.folders = strdup(all_folders())};
  if (files->folders == NULL)
    return sl_no_memory(err, strlen(all_folders()) + 1);
  char *rest = files->folders;
  for (char *folder; (folder = strtok_r(rest, ":", &rest)) != NULL;) {
    const enum sl_status code = read_folder(files, folder, worst == SL_OK ? err : NULL);
    worst = worst == SL_OK ? code : worst;
  }
  if (files->count > 0)
    qsort(files->file, files->count, sizeof *files->file, compare_files);
  return worst;
}

void sl_machine_files_free(struct sl_machine_files *files)
{
  free(files->folders);
  free(files->file);
  *files = (struct sl_machine_files){0};
}
