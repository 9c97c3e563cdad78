#error "cusparse_v2.h (sparse algebra) is not part of simtlab: only programs without it compile"
