/* Syntax of a launch on the command line:
 *
 *   LAUNCH = kernel=NAME|0xADDRESS , grid=SIZE , block=SIZE [, shared=BYTES] [, args=ARG:ARG:...]
 *   SIZE   = X[xY[xZ]]
 *   ARG    = NUMBER | [NAME=]BUFFER | NAME
 *   BUFFER = zero(BYTES) | iota(WORDS) | file(PATH)
 *
 * Commas and colons within parentheses belong to the path. */
#ifndef SL_CLI_LAUNCH_TEXT_H
#define SL_CLI_LAUNCH_TEXT_H

#include "base/error.h"
#include "base/types.h"

enum { SL_LAUNCH_WORD = 1024, SL_LAUNCH_ARGUMENTS = 32, SL_LAUNCH_NAME = 48 };

enum sl_argument_kind {
  SL_ARGUMENT_INTEGER,
  SL_ARGUMENT_FLOAT,
  SL_ARGUMENT_ZERO,
  SL_ARGUMENT_IOTA,
  SL_ARGUMENT_FILE,
  SL_ARGUMENT_NAME
};

struct sl_argument {
  enum sl_argument_kind kind;
  bool hexadecimal;          /* an integer written as bits */
  uint64_t number;           /* the integer, two's complement; bytes or words of a buffer */
  double value;              /* the float */
  char name[SL_LAUNCH_NAME]; /* name of a buffer, or empty */
  char text[SL_LAUNCH_WORD]; /* as written; for a file, its path */
};

struct sl_launch_text {
  char kernel[SL_LAUNCH_WORD]; /* empty: `entry` */
  uint32_t entry, grid[3], block[3], shared;
  struct sl_argument argument[SL_LAUNCH_ARGUMENTS];
  size_t argument_count;
};

enum sl_status sl_launch_text_parse(const char *text, struct sl_launch_text *launch, struct sl_error *err);

#endif
