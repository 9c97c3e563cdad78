#error "cublasLt.h (linear algebra) is not part of simtlab: only programs without it compile"
