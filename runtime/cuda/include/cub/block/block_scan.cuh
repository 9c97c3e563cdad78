#error "cub/block/block_scan.cuh (parallel primitives) is not part of simtlab: only programs without it compile"
