#error "thrust/for_each.h (parallel algorithms) is not part of simtlab: only programs without it compile"
