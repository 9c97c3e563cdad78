#error "cub/block/block_store.cuh (parallel primitives) is not part of simtlab: only programs without it compile"
