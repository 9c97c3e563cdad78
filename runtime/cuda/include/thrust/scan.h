#error "thrust/scan.h (parallel algorithms) is not part of simtlab: only programs without it compile"
