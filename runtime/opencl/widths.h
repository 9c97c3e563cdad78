/* Functions of one argument for vectors of all widths. */
#ifndef SIMTLAB_OPENCL_WIDTHS_H
#define SIMTLAB_OPENCL_WIDTHS_H

#ifndef OVERLOAD
#define OVERLOAD __attribute__((overloadable))
#endif

#define ALL_WIDTHS(type, name)                                                                                         \
  type##2 OVERLOAD name(type##2 a)                                                                                     \
  {                                                                                                                    \
    return (type##2)(name(a.x), name(a.y));                                                                            \
  }                                                                                                                    \
  type##3 OVERLOAD name(type##3 a)                                                                                     \
  {                                                                                                                    \
    return (type##3)(name(a.x), name(a.y), name(a.z));                                                                 \
  }                                                                                                                    \
  type##4 OVERLOAD name(type##4 a)                                                                                     \
  {                                                                                                                    \
    return (type##4)(name(a.xy), name(a.zw));                                                                          \
  }                                                                                                                    \
  type##8 OVERLOAD name(type##8 a)                                                                                     \
  {                                                                                                                    \
    return (type##8)(name(a.lo), name(a.hi));                                                                          \
  }                                                                                                                    \
  type##16 OVERLOAD name(type##16 a)                                                                                   \
  {                                                                                                                    \
    return (type##16)(name(a.lo), name(a.hi));                                                                         \
  }

#endif
