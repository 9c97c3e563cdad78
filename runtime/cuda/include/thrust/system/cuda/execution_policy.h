#error                                                                                                                 \
    "thrust/system/cuda/execution_policy.h (parallel algorithms) is not part of simtlab: only programs without it compile"
