#include "cli/locations.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool join(char path[SL_PATH], const char *folder, const char *relative)
{
  int n = snprintf(path, SL_PATH, "%s/%s", folder, relative);
  return n > 0 && n < SL_PATH && access(path, R_OK) == 0;
}

/* The folder of the running command. */
static bool command_folder(char folder[SL_PATH])
{
  ssize_t length = readlink("/proc/self/exe", folder, SL_PATH - 1);
  if (length <= 0)
    return false;
  folder[length] = '\0';
  char *slash = strrchr(folder, '/');
  if (slash == NULL)
    return false;
  *slash = '\0';
  return true;
}

enum sl_status sl_find_data(const char *relative, char path[SL_PATH], struct sl_error *err)
{
  const char *home = getenv("SIMTLAB_HOME");
  if (home != NULL && home[0] != '\0')
    return join(path, home, relative)
               ? SL_OK
               : sl_fail(err, SL_USAGE, "%.200s is not in %.500s, where SIMTLAB_HOME points", relative, home);
  char folder[SL_PATH], shared[SL_PATH];
  if (!command_folder(folder))
    return sl_fail(err, SL_USAGE, "the command's own folder cannot be found; set SIMTLAB_HOME to the folder of %.200s",
                   relative);
  if (join(path, folder, relative))
    return SL_OK;
  int n = snprintf(shared, sizeof shared, "%s/../share/simtlab", folder);
  if (n > 0 && (size_t)n < sizeof shared && join(path, shared, relative))
    return SL_OK;
  return sl_fail(err, SL_USAGE,
                 "%.200s is neither in %.300s nor in its ../share/simtlab; build it with make, or set SIMTLAB_HOME",
                 relative, folder);
}

void sl_find_helper(const char *name, char path[SL_PATH])
{
  const char *home = getenv("SIMTLAB_HOME");
  char folder[SL_PATH], installed[SL_PATH + 32];
  if (home != NULL && home[0] != '\0' && join(path, home, name))
    return;
  if (!command_folder(folder))
    snprintf(path, SL_PATH, "%s", name);
  else {
    snprintf(installed, sizeof installed, "%s/../libexec/simtlab", folder);
    if (!join(path, installed, name))
      join(path, folder, name);
  }
}
