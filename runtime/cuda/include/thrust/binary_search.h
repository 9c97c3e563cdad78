#error "thrust/binary_search.h (parallel algorithms) is not part of simtlab: only programs without it compile"
