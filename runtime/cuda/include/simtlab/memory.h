/* Address spaces, loads and stores with a cache operator, and kernel services. */
#ifndef SIMTLAB_CUDA_MEMORY_H
#define SIMTLAB_CUDA_MEMORY_H

#define SIMTLAB_SPACE(name, space)                                                                                     \
  static __device__ __forceinline__ unsigned int name(const void *p)                                                   \
  {                                                                                                                    \
    return __nvvm_isspacep_##space(p);                                                                                 \
  }
SIMTLAB_SPACE(__isGlobal, global)
SIMTLAB_SPACE(__isShared, shared)
SIMTLAB_SPACE(__isConstant, const)
SIMTLAB_SPACE(__isLocal, local)
#undef SIMTLAB_SPACE

#define SIMTLAB_CVTA(space)                                                                                            \
  static __device__ __forceinline__ size_t __cvta_generic_to_##space(const void *p)                                    \
  {                                                                                                                    \
    size_t address;                                                                                                    \
    asm("cvta.to." #space ".u64 %0, %1;" : "=l"(address) : "l"(p));                                                    \
    return address;                                                                                                    \
  }                                                                                                                    \
  static __device__ __forceinline__ void *__cvta_##space##_to_generic(size_t address)                                  \
  {                                                                                                                    \
    void *p;                                                                                                           \
    asm("cvta." #space ".u64 %0, %1;" : "=l"(p) : "l"(address));                                                       \
    return p;                                                                                                          \
  }
SIMTLAB_CVTA(global)
SIMTLAB_CVTA(shared)
SIMTLAB_CVTA(local)
SIMTLAB_CVTA(const)
#undef SIMTLAB_CVTA

/* Loads keep their operator as inline assembly; vectors load element by element. */
#define SIMTLAB_CACHED(op, type, ptx, reg, word)                                                                       \
  static __device__ __forceinline__ type __ld##op(const type *p)                                                       \
  {                                                                                                                    \
    word v;                                                                                                            \
    asm volatile("ld.global." #op "." #ptx " %0, [%1];" : "=" reg(v) : "l"(p) : "memory");                             \
    return (type)v;                                                                                                    \
  }
#define SIMTLAB_STORED(op, type, ptx, reg, word)                                                                       \
  static __device__ __forceinline__ void __st##op(type *p, type v)                                                     \
  {                                                                                                                    \
    asm volatile("st.global." #op "." #ptx " [%0], %1;" ::"l"(p), reg((word)v) : "memory");                            \
  }
#define SIMTLAB_CACHE_TYPES(macro, op)                                                                                 \
  macro(op, char, s8, "r", int) macro(op, signed char, s8, "r", int) macro(op, unsigned char, u8, "r", unsigned int)   \
      macro(op, short, s16, "h", short) macro(op, unsigned short, u16, "h", unsigned short)                            \
          macro(op, int, s32, "r", int) macro(op, unsigned int, u32, "r", unsigned int)                                \
              macro(op, long, s64, "l", long) macro(op, unsigned long, u64, "l", unsigned long)                        \
                  macro(op, long long, s64, "l", long long)                                                            \
                      macro(op, unsigned long long, u64, "l", unsigned long long) macro(op, float, f32, "f", float)    \
                          macro(op, double, f64, "d", double)
SIMTLAB_CACHE_TYPES(SIMTLAB_CACHED, cg)
SIMTLAB_CACHE_TYPES(SIMTLAB_CACHED, ca)
SIMTLAB_CACHE_TYPES(SIMTLAB_CACHED, cs)
SIMTLAB_CACHE_TYPES(SIMTLAB_CACHED, lu)
SIMTLAB_CACHE_TYPES(SIMTLAB_CACHED, cv)
SIMTLAB_CACHE_TYPES(SIMTLAB_STORED, wb)
SIMTLAB_CACHE_TYPES(SIMTLAB_STORED, cg)
SIMTLAB_CACHE_TYPES(SIMTLAB_STORED, cs)
SIMTLAB_CACHE_TYPES(SIMTLAB_STORED, wt)
#undef SIMTLAB_CACHE_TYPES
#undef SIMTLAB_CACHED
#undef SIMTLAB_STORED

#define SIMTLAB_VECTOR_LOAD(name, op)                                                                                  \
  static __device__ __forceinline__ name##2 __ld##op(const name##2 * p)                                                \
  {                                                                                                                    \
    return make_##name##2(__ld##op(&p->x), __ld##op(&p->y));                                                           \
  }                                                                                                                    \
  static __device__ __forceinline__ name##4 __ld##op(const name##4 * p)                                                \
  {                                                                                                                    \
    return make_##name##4(__ld##op(&p->x), __ld##op(&p->y), __ld##op(&p->z), __ld##op(&p->w));                         \
  }
#define SIMTLAB_VECTOR_STORE(name, op)                                                                                 \
  static __device__ __forceinline__ void __st##op(name##2 * p, name##2 v)                                              \
  {                                                                                                                    \
    __st##op(&p->x, v.x);                                                                                              \
    __st##op(&p->y, v.y);                                                                                              \
  }                                                                                                                    \
  static __device__ __forceinline__ void __st##op(name##4 * p, name##4 v)                                              \
  {                                                                                                                    \
    __st##op(&p->x, v.x);                                                                                              \
    __st##op(&p->y, v.y);                                                                                              \
    __st##op(&p->z, v.z);                                                                                              \
    __st##op(&p->w, v.w);                                                                                              \
  }
#define SIMTLAB_VECTOR_CACHE(name)                                                                                     \
  SIMTLAB_VECTOR_LOAD(name, cg)                                                                                        \
  SIMTLAB_VECTOR_LOAD(name, ca)                                                                                        \
  SIMTLAB_VECTOR_LOAD(name, cs)                                                                                        \
  SIMTLAB_VECTOR_STORE(name, wb) SIMTLAB_VECTOR_STORE(name, cg) SIMTLAB_VECTOR_STORE(name, cs)
SIMTLAB_VECTOR_CACHE(int)
SIMTLAB_VECTOR_CACHE(uint)
SIMTLAB_VECTOR_CACHE(float)
SIMTLAB_VECTOR_CACHE(double)
#undef SIMTLAB_VECTOR_CACHE
#undef SIMTLAB_VECTOR_LOAD
#undef SIMTLAB_VECTOR_STORE

#endif
