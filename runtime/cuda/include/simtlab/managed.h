/* Managed variables. Clang has them for HIP only. In the host pass they go into a section, whose bounds the program
 * tells the runtime; there they are the host's memory, which the runtime copies to the device and back
 * (src/runtime/cuda/cudart_memory.c). */
#ifndef SIMTLAB_CUDA_MANAGED_H
#define SIMTLAB_CUDA_MANAGED_H

#undef __managed__
#define __managed__ __attribute__((device)) __attribute__((section("simtlab_managed")))

#ifndef __CUDA_ARCH__
extern "C" {
extern char __start_simtlab_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_simtlab_managed[] __attribute__((weak, visibility("hidden")));
void __cudaRegisterManagedSection(const char *start, const char *end);
}
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
extern "C" void __cudaDefaultStreamPerThread(void);
static __attribute__((constructor(101), unused)) void simtlab_default_stream()
{
  __cudaDefaultStreamPerThread();
}
#endif
/* Before the constructors that register modules. */
static __attribute__((constructor(101), unused)) void simtlab_register_managed()
{
  const char *volatile start = __start_simtlab_managed; /* the symbol is 0 if no variable is managed */
  if (start)
    __cudaRegisterManagedSection(start, __stop_simtlab_managed);
}
#endif

#endif
