// C++ support beyond the C library: new and delete, and termination for calls of pure virtual functions. Linked in if
// the program has C++ sources or objects; unused parts take no space.

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

namespace std
{
enum class align_val_t : size_t {};
}

static void *checked(void *memory, size_t bytes)
{
  if (memory == nullptr) {
    fprintf(stderr, "simt: no memory left for %u bytes\n", static_cast<unsigned>(bytes));
    exit(EXIT_FAILURE);
  }
  return memory;
}

void *operator new(size_t bytes)
{
  return checked(malloc(bytes != 0 ? bytes : 1), bytes);
}

void *operator new[](size_t bytes)
{
  return operator new(bytes);
}

void *operator new(size_t bytes, std::align_val_t alignment)
{
  return checked(aligned_alloc(static_cast<size_t>(alignment), bytes != 0 ? bytes : 1), bytes);
}

void *operator new[](size_t bytes, std::align_val_t alignment)
{
  return operator new(bytes, alignment);
}

void operator delete(void *memory) noexcept
{
  free(memory);
}

void operator delete[](void *memory) noexcept
{
  free(memory);
}

void operator delete(void *memory, size_t) noexcept
{
  free(memory);
}

void operator delete[](void *memory, size_t) noexcept
{
  free(memory);
}

void operator delete(void *memory, std::align_val_t) noexcept
{
  free(memory);
}

void operator delete[](void *memory, std::align_val_t) noexcept
{
  free(memory);
}

void operator delete(void *memory, size_t, std::align_val_t) noexcept
{
  free(memory);
}

void operator delete[](void *memory, size_t, std::align_val_t) noexcept
{
  free(memory);
}

extern "C" [[noreturn]] void __cxa_pure_virtual()
{
  fprintf(stderr, "simt: a virtual function without a body is called\n");
  abort();
}
