#error "cufft.h (Fourier transforms) is not part of simtlab: only programs without it compile"
