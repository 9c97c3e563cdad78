#error "thrust/iterator/iterator_adaptor.h is not part of simtlab: only programs without it compile"
