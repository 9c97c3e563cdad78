/* Large output file (output.h), compressed if its name ends in .zst (Zstandard). */
#ifndef SL_OBSERVE_TRACE_FILE_H
#define SL_OBSERVE_TRACE_FILE_H

#include "observe/output.h"

struct ZSTD_CCtx_s;

struct sl_trace_file {
  struct sl_output output;    /* its file is NULL while closed */
  struct ZSTD_CCtx_s *packer; /* compressor; NULL: uncompressed */
  char *packed;               /* output buffer of the compressor */
  size_t packed_size;
  bool unpackable; /* the compressor failed, which means lack of memory */
};

enum sl_status sl_trace_file_open(struct sl_trace_file *file, const char *path, struct sl_error *err);

/* Write; closing reports a failure. A printed text has less than 256 bytes. */
void sl_trace_file_write(struct sl_trace_file *file, const void *bytes, size_t size);
void sl_trace_file_print(struct sl_trace_file *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Closes it like sl_output_close. */
enum sl_status sl_trace_file_close(struct sl_trace_file *file, struct sl_error *err);

/* Closes and discards it; a previous file remains. */
void sl_trace_file_drop(struct sl_trace_file *file);

#endif
