#error "cub/device/device_select.cuh (parallel primitives) is not part of simtlab: only programs without it compile"
