#error "thrust/device_malloc.h (parallel algorithms) is not part of simtlab: only programs without it compile"
