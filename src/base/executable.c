#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/executable.h"

#include <sys/mman.h>
#include <unistd.h>

static size_t page_bytes(void)
{
  return (size_t)sysconf(_SC_PAGESIZE);
}

static bool protect(struct sl_executable *e, size_t from, size_t to, int protection)
{
  return from >= to || mprotect(e->code + from, to - from, protection) == 0;
}

bool sl_executable_open(struct sl_executable *e, size_t bytes)
{
  *e = (struct sl_executable){0};
#if defined(__x86_64__)
  const size_t page = page_bytes();
  bytes = (bytes + page - 1) & -page;
  void *code = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED)
    return false;
  *e = (struct sl_executable){.code = code, .bytes = bytes};
  return true;
#else
  (void)bytes;
  return false;
#endif
}

void sl_executable_close(struct sl_executable *e)
{
  if (e->code != NULL)
    munmap(e->code, e->bytes);
  *e = (struct sl_executable){0};
}

bool sl_executable_seal(struct sl_executable *e, size_t used)
{
  const size_t page = page_bytes(), end = (used + page - 1) & -page;
  if (!protect(e, e->sealed, end, PROT_READ | PROT_EXEC))
    return false;
  e->sealed = end > e->sealed ? end : e->sealed;
  return true;
}

bool sl_executable_reset(struct sl_executable *e)
{
  const bool done = protect(e, 0, e->sealed, PROT_READ | PROT_WRITE);
  e->sealed = 0;
  return done;
}
