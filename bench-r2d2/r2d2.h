// What the kernels of this folder have in common: each is compiled to PTX and to RISC-V from the same source, and run
// by its launch description.

#ifndef R2D2_H
#define R2D2_H

#include "simt.h"

#ifndef SIMT_PTX_H
int main(void)
{
  return 0;
}
#endif

#endif
