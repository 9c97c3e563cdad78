#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/executable.h"

#include <sys/mman.h>

bool sl_executable_open(struct sl_executable *e, size_t bytes)
{
  *e = (struct sl_executable){0};
#if defined(__x86_64__)
  void *code = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED)
    return false;
  *e = (struct sl_executable){.code = code, .bytes = bytes};
  if (sl_executable_seal(e))
    return true;
  sl_executable_close(e);
#else
  (void)bytes;
#endif
  return false;
}

void sl_executable_close(struct sl_executable *e)
{
  if (e->code != NULL)
    munmap(e->code, e->bytes);
  *e = (struct sl_executable){0};
}

bool sl_executable_write(struct sl_executable *e)
{
  return mprotect(e->code, e->bytes, PROT_READ | PROT_WRITE) == 0;
}

bool sl_executable_seal(struct sl_executable *e)
{
  return mprotect(e->code, e->bytes, PROT_READ | PROT_EXEC) == 0;
}
