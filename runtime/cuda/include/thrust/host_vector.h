#error "thrust/host_vector.h (parallel algorithms) is not part of simtlab: only programs without it compile"
