/* Annotations for profilers of an SDK: they have no effect here. */
#ifndef SIMTLAB_CUDA_NVTOOLSEXT_H
#define SIMTLAB_CUDA_NVTOOLSEXT_H

#define SIMTLAB_NVTX static __inline__ __attribute__((unused))
SIMTLAB_NVTX int nvtxRangePushA(const char *text)
{
  (void)text;
  return 0;
}
SIMTLAB_NVTX int nvtxRangePop(void)
{
  return 0;
}
SIMTLAB_NVTX void nvtxMarkA(const char *text)
{
  (void)text;
}
#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA
#undef SIMTLAB_NVTX

#endif
