#error "cusolverDn.h (linear solvers) is not part of simtlab: only programs without it compile"
