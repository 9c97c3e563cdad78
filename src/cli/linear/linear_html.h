/* HTML report of simtlab linear: source, instructions and coefficient vectors side by side. */
#ifndef SL_CLI_LINEAR_LINEAR_HTML_H
#define SL_CLI_LINEAR_LINEAR_HTML_H

#include "cli/linear/linear_report.h"

/* Write the start of the page, one kernel, and the end of the page. */
void sl_linear_html_begin(const struct sl_linear_input *input, FILE *file);
void sl_linear_html_kernel(const struct sl_linear_report *report, FILE *file);
void sl_linear_html_refusal(const struct sl_linear_kernel *kernel, const char *why, FILE *file);
void sl_linear_html_end(FILE *file);

#endif
