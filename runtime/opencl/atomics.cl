/* 64-bit atomics (cl_khr_int64_base_atomics, cl_khr_int64_extended_atomics), which libclc lacks. */
#include "device.h"

#define BOTH_SPACES(with, type)                                                                                        \
  with(global, type) with(local, type)
#define ALL(with)                                                                                                      \
  BOTH_SPACES(with, long)                                                                                              \
  BOTH_SPACES(with, ulong)

#define FETCH(name, operation, space, type)                                                                            \
  type OVERLOAD name(volatile space type *p, type value)                                                               \
  {                                                                                                                    \
    return operation(p, value, __ATOMIC_RELAXED);                                                                      \
  }
#define FETCHES(space, type)                                                                                           \
  FETCH(atom_add, __atomic_fetch_add, space, type)                                                                     \
  FETCH(atom_sub, __atomic_fetch_sub, space, type)                                                                     \
  FETCH(atom_and, __atomic_fetch_and, space, type)                                                                     \
  FETCH(atom_or, __atomic_fetch_or, space, type)                                                                       \
  FETCH(atom_xor, __atomic_fetch_xor, space, type)                                                                     \
  FETCH(atom_min, __atomic_fetch_min, space, type)                                                                     \
  FETCH(atom_max, __atomic_fetch_max, space, type)                                                                     \
  FETCH(atom_xchg, __atomic_exchange_n, space, type)                                                                   \
  type OVERLOAD atom_inc(volatile space type *p)                                                                       \
  {                                                                                                                    \
    return __atomic_fetch_add(p, (type)1, __ATOMIC_RELAXED);                                                           \
  }                                                                                                                    \
  type OVERLOAD atom_dec(volatile space type *p)                                                                       \
  {                                                                                                                    \
    return __atomic_fetch_sub(p, (type)1, __ATOMIC_RELAXED);                                                           \
  }                                                                                                                    \
  type OVERLOAD atom_cmpxchg(volatile space type *p, type expected, type value)                                        \
  {                                                                                                                    \
    __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                       \
    return expected;                                                                                                   \
  }
ALL(FETCHES)
