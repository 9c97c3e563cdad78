#error "cub/device/device_scan.cuh (parallel primitives) is not part of simtlab: only programs without it compile"
