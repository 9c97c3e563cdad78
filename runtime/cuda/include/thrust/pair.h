#error "thrust/pair.h (parallel algorithms) is not part of simtlab: only programs without it compile"
