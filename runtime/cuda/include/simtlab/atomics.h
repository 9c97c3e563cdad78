/* Atomic functions of all types, in the scopes of the GPU (no suffix), the block and the system. */
#ifndef SIMTLAB_CUDA_ATOMICS_H
#define SIMTLAB_CUDA_ATOMICS_H

#define SIMTLAB_ATOMIC static __device__ __forceinline__

/* A function over Clang's, whose name has the type in front: __iAtomicAdd(). */
#define SIMTLAB_ATOMIC_SCOPE(name, type, clangs, scope)                                                                \
  SIMTLAB_ATOMIC type atomic##name##scope(type *p, type v)                                                             \
  {                                                                                                                    \
    return clangs##Atomic##name##scope(p, v);                                                                          \
  }
#define SIMTLAB_ATOMIC_OF(name, type, clangs)                                                                          \
  SIMTLAB_ATOMIC_SCOPE(name, type, clangs, )                                                                           \
  SIMTLAB_ATOMIC_SCOPE(name, type, clangs, _block)                                                                     \
  SIMTLAB_ATOMIC_SCOPE(name, type, clangs, _system)
#define SIMTLAB_ATOMIC_ALL(name)                                                                                       \
  SIMTLAB_ATOMIC_OF(name, int, __i)                                                                                    \
  SIMTLAB_ATOMIC_OF(name, unsigned int, __u)                                                                           \
  SIMTLAB_ATOMIC_OF(name, unsigned long long, __ull)

SIMTLAB_ATOMIC_ALL(Add)
SIMTLAB_ATOMIC_OF(Add, float, __f)
SIMTLAB_ATOMIC_OF(Add, double, __d)
SIMTLAB_ATOMIC_ALL(Exch)
SIMTLAB_ATOMIC_OF(Exch, float, __f)
SIMTLAB_ATOMIC_ALL(Min)
SIMTLAB_ATOMIC_OF(Min, long long, __ill)
SIMTLAB_ATOMIC_ALL(Max)
SIMTLAB_ATOMIC_OF(Max, long long, __ill)
SIMTLAB_ATOMIC_ALL(And)
SIMTLAB_ATOMIC_OF(And, long long, __ll)
SIMTLAB_ATOMIC_ALL(Or)
SIMTLAB_ATOMIC_OF(Or, long long, __ll)
SIMTLAB_ATOMIC_ALL(Xor)
SIMTLAB_ATOMIC_OF(Xor, long long, __ll)
SIMTLAB_ATOMIC_OF(Inc, unsigned int, __u)
SIMTLAB_ATOMIC_OF(Dec, unsigned int, __u)

#define SIMTLAB_ATOMIC_REST(scope)                                                                                     \
  SIMTLAB_ATOMIC int atomicSub##scope(int *p, int v)                                                                   \
  {                                                                                                                    \
    return __iAtomicAdd##scope(p, (int)-(unsigned int)v);                                                              \
  }                                                                                                                    \
  SIMTLAB_ATOMIC unsigned int atomicSub##scope(unsigned int *p, unsigned int v)                                        \
  {                                                                                                                    \
    return __uAtomicAdd##scope(p, -v);                                                                                 \
  }                                                                                                                    \
  SIMTLAB_ATOMIC int atomicCAS##scope(int *p, int old, int v)                                                          \
  {                                                                                                                    \
    return __iAtomicCAS##scope(p, old, v);                                                                             \
  }                                                                                                                    \
  SIMTLAB_ATOMIC unsigned int atomicCAS##scope(unsigned int *p, unsigned int old, unsigned int v)                      \
  {                                                                                                                    \
    return __uAtomicCAS##scope(p, old, v);                                                                             \
  }                                                                                                                    \
  SIMTLAB_ATOMIC unsigned long long atomicCAS##scope(unsigned long long *p, unsigned long long old,                    \
                                                     unsigned long long v)                                             \
  {                                                                                                                    \
    return __ullAtomicCAS##scope(p, old, v);                                                                           \
  }
SIMTLAB_ATOMIC_REST()
SIMTLAB_ATOMIC_REST(_block)
SIMTLAB_ATOMIC_REST(_system)

SIMTLAB_ATOMIC unsigned short atomicCAS(unsigned short *p, unsigned short old, unsigned short v)
{
  unsigned short before;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(before) : "l"(p), "h"(old), "h"(v) : "memory");
  return before;
}

#undef SIMTLAB_ATOMIC_REST
#undef SIMTLAB_ATOMIC_ALL
#undef SIMTLAB_ATOMIC_OF
#undef SIMTLAB_ATOMIC_SCOPE
#undef SIMTLAB_ATOMIC

#endif
