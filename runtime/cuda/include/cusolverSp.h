#error "cusolverSp.h (linear solvers) is not part of simtlab: only programs without it compile"
