#include "lab/process.h"

#include <stdio.h>
#include <string.h>

bool sl_process_name(long pid, char name[SL_PROCESS])
{
  char path[64], boot[40] = "", text[1024];
  unsigned long long started = 0;
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
  if (file != NULL) {
    if (fscanf(file, "%39s", boot) != 1)
      boot[0] = '\0';
    fclose(file);
  }
  snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  file = fopen(path, "re");
  if (file == NULL)
    return false;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  const char *fields = strrchr(text, ')'); /* the name before it may contain anything */
  char state = 'X';
  if (fields == NULL ||
      sscanf(fields, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &state,
             &started) != 2 ||
      state == 'Z' || state == 'X')
    return false;
  snprintf(name, SL_PROCESS, "%s %ld %llu", boot, pid, started);
  return true;
}

bool sl_process_lives(const char *name)
{
  char now[SL_PROCESS];
  long pid;
  return name != NULL && sscanf(name, "%*s %ld", &pid) == 1 && sl_process_name(pid, now) && strcmp(now, name) == 0;
}
