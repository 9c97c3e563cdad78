/* The page of a study whose report has tables and sections: index.html, and beside it each table as CSV and each chart
 * as SVG. Tables with `print` go to standard output, too. */
#ifndef SL_CLI_REPORT_PAGE_H
#define SL_CLI_REPORT_PAGE_H

#include "lab/study/study.h"

struct sl_record;

enum sl_status sl_report_page_write(const struct sl_study *study, struct sl_record *record, const char *page,
                                    struct sl_error *err);

/* Makes the folders of a file. */
enum sl_status sl_make_folders(const char *file, struct sl_error *err);

#endif
