#error "curand.h (random numbers) is not part of simtlab: only programs without it compile"
