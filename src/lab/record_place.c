#include <stdio.h>
#include <string.h>
#include <sys/statfs.h>

#include "lab/record.h"

bool sl_is_network_file_system(uint64_t type)
{
  static const uint32_t types[] = {
      0x6969,     /* NFS */
      0xff534d42, /* CIFS */
      0xfe534d42, /* SMB 2 */
      0x517b,     /* SMB */
      0x0bd00bd0, /* Lustre */
      0x47504653, /* GPFS */
      0x00c36400, /* Ceph */
      0x19830326, /* BeeGFS */
      0xaad7aaea, /* PanFS */
      0x5346414f, /* AFS */
      0x7461636f, /* OCFS2 */
      0x01161970, /* GFS2 */
      0x01021997, /* 9P */
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if ((uint32_t)type == types[i])
      return true;
  return false;
}

enum sl_status sl_record_check_place(const char *path, struct sl_error *err)
{
  char folder[SL_RECORD_PATH];
  struct statfs status;
  snprintf(folder, sizeof folder, "%s", path);
  char *slash = strrchr(folder, '/');
  if (slash == NULL)
    strcpy(folder, ".");
  else
    slash[slash == folder] = '\0';
  if (statfs(folder, &status) == 0 && sl_is_network_file_system((uint64_t)status.f_type))
    return sl_fail(
        err, SL_USAGE,
        "%.300s: lies on a network file system, where SQLite's log does not work; put the database on a local "
        "disk with --database FILE",
        path);
  return SL_OK;
}
