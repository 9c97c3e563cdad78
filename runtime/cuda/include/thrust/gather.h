#error "thrust/gather.h (parallel algorithms) is not part of simtlab: only programs without it compile"
