/* The data of a report as JSON: its charts with one row per mark, and the runs that the marks stand for. The page's
 * script (tools/charts/charts.js) reads it. */
#ifndef SL_LAB_REPORT_DATA_H
#define SL_LAB_REPORT_DATA_H

#include "lab/record.h"
#include "lab/study/study.h"

/* Most marks of a chart, and most runs that the page lists. */
enum { SL_REPORT_MARKS = 50000, SL_REPORT_RUNS = 10000 };

/* *page is the caller's. An error of a chart begins with FILE:LINE. */
enum sl_status sl_report_data(const struct sl_study *study, struct sl_record *record, json_t **page,
                              struct sl_error *err);

#endif
