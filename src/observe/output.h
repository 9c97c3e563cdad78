/* Output files that never fail silently: the module records every failed write, and closing reports it. The file gets
 * its name only when it is closed (base/whole_file.h).
 *
 * A full disk or a closed pipe often shows only when the last buffer is written. The result of a run that writes files
 * is therefore known only after sl_output_close. */
#ifndef SL_OBSERVE_OUTPUT_H
#define SL_OBSERVE_OUTPUT_H

#include <stdio.h>

#include "base/whole_file.h"

struct sl_output {
  FILE *file; /* NULL: not open, and writes do nothing */
  char name[256];
  bool standard; /* standard output, which is not closed */
  int failure;   /* errno of the first write that failed, 0 for none */
  struct sl_whole_file whole;
};

/* Opens a file for writing; "-" is standard output. */
enum sl_status sl_output_open(struct sl_output *output, const char *path, struct sl_error *err);

/* Whether the file of an option, NULL where it was not given, is standard output. */
bool sl_is_standard(const char *path);

/* The console of what is simulated: standard output or, where that is for a file, standard error. */
void sl_output_console(struct sl_output *output, bool aside);

/* Write; a failure shows at the next flush or close. */
void sl_output_write(struct sl_output *output, const void *bytes, size_t size);
void sl_output_print(struct sl_output *output, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Flushes all data to the system. Returns false after any failure so far. */
bool sl_output_flush(struct sl_output *output);

/* Closes the file and reports any failure since opening. A file without data is not created. */
enum sl_status sl_output_close(struct sl_output *output, struct sl_error *err);

/* Closes and discards the output; a previous file remains. */
void sl_output_drop(struct sl_output *output);

/* ---- large files ------------------------------------------------------------------------------------------------- */

/* Large output file, compressed if its name ends in .zst (Zstandard). */

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
