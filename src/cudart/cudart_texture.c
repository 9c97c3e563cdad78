/* Textures of the CUDA runtime. */
#include "cudart/cudart.h"

void sl_cudart_free_textures(struct cudart *r)
{
  (void)r;
}
