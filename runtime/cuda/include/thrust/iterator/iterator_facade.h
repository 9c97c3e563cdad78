#error "thrust/iterator/iterator_facade.h is not part of simtlab: only programs without it compile"
