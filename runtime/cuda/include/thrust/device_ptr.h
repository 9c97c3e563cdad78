#error "thrust/device_ptr.h (parallel algorithms) is not part of simtlab: only programs without it compile"
