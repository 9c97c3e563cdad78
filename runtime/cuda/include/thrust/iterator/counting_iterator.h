#error                                                                                                                 \
    "thrust/iterator/counting_iterator.h (parallel algorithms) is not part of simtlab: only programs without it compile"
