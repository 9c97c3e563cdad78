/* What simtlab linear says of kernels as a page: source, instructions and vectors side by side. */
#ifndef SL_CLI_LINEAR_LINEAR_HTML_H
#define SL_CLI_LINEAR_LINEAR_HTML_H

#include "cli/linear/linear_report.h"

/* The beginning and the end of a page, and a kernel of it. */
void sl_linear_html_begin(const struct sl_linear_input *input, FILE *file);
void sl_linear_html_kernel(const struct sl_linear_report *report, FILE *file);
void sl_linear_html_refusal(const struct sl_linear_kernel *kernel, const char *why, FILE *file);
void sl_linear_html_end(FILE *file);

#endif
