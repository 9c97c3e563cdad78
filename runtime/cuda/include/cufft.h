/* Types of cuFFT, which headers of SDK samples mention. Its functions are not part of simtlab: the compiler says so
 * where a program uses one. */
#ifndef SIMTLAB_CUDA_CUFFT_H
#define SIMTLAB_CUDA_CUFFT_H
#define _CUFFT_H_

#include "cuComplex.h"
#include "driver_types.h"

#define CUFFTAPI
#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_PARSE_ERROR = 12,
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_LICENSE_ERROR = 15,
  CUFFT_NOT_SUPPORTED = 16
} cufftResult;
typedef enum cufftType_t {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
} cufftType;
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

#ifdef __cplusplus
extern "C" {
#endif
#define SIMTLAB_ABSENT __attribute__((unavailable("cuFFT (Fourier transforms) is not part of simtlab")))
cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch) SIMTLAB_ABSENT;
cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type) SIMTLAB_ABSENT;
cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type) SIMTLAB_ABSENT;
cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                          int ostride, int odist, cufftType type, int batch) SIMTLAB_ABSENT;
cufftResult cufftCreate(cufftHandle *plan) SIMTLAB_ABSENT;
cufftResult cufftDestroy(cufftHandle plan) SIMTLAB_ABSENT;
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) SIMTLAB_ABSENT;
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction) SIMTLAB_ABSENT;
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out) SIMTLAB_ABSENT;
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out) SIMTLAB_ABSENT;
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction) SIMTLAB_ABSENT;
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out) SIMTLAB_ABSENT;
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out) SIMTLAB_ABSENT;
#undef SIMTLAB_ABSENT
#ifdef __cplusplus
}
#endif

#endif
