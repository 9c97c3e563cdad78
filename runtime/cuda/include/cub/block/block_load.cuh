#error "cub/block/block_load.cuh (parallel primitives) is not part of simtlab: only programs without it compile"
