/* Annotations for profilers of an SDK: they have no effect here. */
#ifndef SIMTLAB_CUDA_NVTOOLSEXT_H
#define SIMTLAB_CUDA_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 2
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
enum { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };
enum { NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII = 1, NVTX_MESSAGE_TYPE_UNICODE = 2 };

typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
  } payload;
  int32_t messageType;
  union {
    const char *ascii;
    const wchar_t *unicode;
  } message;
} nvtxEventAttributes_t;

#define SIMTLAB_NVTX(type, name, parameters, ...)                                                                      \
  static __inline__ __attribute__((unused)) type name parameters                                                       \
  {                                                                                                                    \
    __VA_ARGS__;                                                                                                       \
  }
SIMTLAB_NVTX(int, nvtxRangePushA, (const char *text), (void)text; return 0)
SIMTLAB_NVTX(int, nvtxRangePushEx, (const nvtxEventAttributes_t *e), (void)e; return 0)
SIMTLAB_NVTX(int, nvtxRangePop, (void), return 0)
SIMTLAB_NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char *text), (void)text; return 0)
SIMTLAB_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t *e), (void)e; return 0)
SIMTLAB_NVTX(void, nvtxRangeEnd, (nvtxRangeId_t id), (void)id)
SIMTLAB_NVTX(void, nvtxMarkA, (const char *text), (void)text)
SIMTLAB_NVTX(void, nvtxMarkEx, (const nvtxEventAttributes_t *e), (void)e)
SIMTLAB_NVTX(void, nvtxNameOsThreadA, (uint32_t thread, const char *name), (void)thread; (void)name)
SIMTLAB_NVTX(void, nvtxNameCategoryA, (uint32_t category, const char *name), (void)category; (void)name)
SIMTLAB_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *name), (void)name; return NULL)
SIMTLAB_NVTX(void, nvtxDomainDestroy, (nvtxDomainHandle_t domain), (void)domain)
SIMTLAB_NVTX(int, nvtxDomainRangePushEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *e), (void)domain;
             (void)e; return 0)
SIMTLAB_NVTX(int, nvtxDomainRangePop, (nvtxDomainHandle_t domain), (void)domain; return 0)
#undef SIMTLAB_NVTX
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxDomainCreate nvtxDomainCreateA

#endif
