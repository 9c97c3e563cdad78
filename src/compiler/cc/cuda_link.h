/* Device code of a linked CUDA program. The files that are compiled separately (-rdc=true, -dc) become one module when
 * the program runs, so what none of them defines is known when it is linked. */
#ifndef SL_COMPILER_CC_CUDA_LINK_H
#define SL_COMPILER_CC_CUDA_LINK_H

#include "base/error.h"

/* Fails with the name of the first function that the PTX calls but does not define, apart from kernel services. */
enum sl_status sl_cuda_check_defined(const char *source, const char *ptx, struct sl_error *err);

/* Fails with the name of the first device function or variable that a file of the program or shared library declares,
 * and none defines. `name`: the program's in the sentence. */
enum sl_status sl_cuda_check_linked(const char *path, const char *name, struct sl_error *err);

#endif
