#error "mma.h (tensor operations of warps) is not part of simtlab: only programs without it compile"
