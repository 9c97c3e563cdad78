#error "cupti.h (a library of its own) is not part of simtlab: only programs without it compile"
