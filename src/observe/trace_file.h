/* A large output (output.h), compressed where its name ends in .zst (Zstandard). */
#ifndef SL_OBSERVE_TRACE_FILE_H
#define SL_OBSERVE_TRACE_FILE_H

#include "observe/output.h"

struct ZSTD_CCtx_s;

struct sl_trace_file {
  struct sl_output output;    /* its file is NULL while there is none */
  struct ZSTD_CCtx_s *packer; /* NULL: as it is */
  char *packed;               /* what the packer has made */
  size_t packed_size;
  bool unpackable; /* the packer has failed, which is for lack of memory */
};

enum sl_status sl_trace_file_open(struct sl_trace_file *file, const char *path, struct sl_error *err);

/* Writes; a failure shows when it is closed. */
void sl_trace_file_write(struct sl_trace_file *file, const void *bytes, size_t size);
void sl_trace_file_print(struct sl_trace_file *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Closes it, as sl_output_close does. */
enum sl_status sl_trace_file_close(struct sl_trace_file *file, struct sl_error *err);

/* Closes it and leaves the file that was there before. */
void sl_trace_file_drop(struct sl_trace_file *file);

#endif
