#error "cub/block/block_radix_sort.cuh (parallel primitives) is not part of simtlab: only programs without it compile"
