#error "cub/device/device_segmented_reduce.cuh (parallel primitives) is not part of simtlab: only programs without it compile"
