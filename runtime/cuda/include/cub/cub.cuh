#error "cub/cub.cuh (parallel primitives) is not part of simtlab: only programs without it compile"
