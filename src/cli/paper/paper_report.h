/* The report of a reproduction: a page of sections, charts, and tables that are the same rows as text, in the page and
 * as CSV files. */
#ifndef SL_CLI_PAPER_REPORT_H
#define SL_CLI_PAPER_REPORT_H

#include "cli/paper/paper.h"
#include "observe/table.h"

/* A table in one of its forms. */
struct sl_sheet {
  enum { SL_SHEET_TEXT, SL_SHEET_PAGE, SL_SHEET_FILE } form;
  FILE *file;            /* of a page or a file */
  struct sl_table table; /* of text */
  int digits;
  unsigned columns; /* of a page */
  bool begun;       /* the row has a cell */
};

/* Cells: text, which a file quotes; a word, which it does not; a count; a number with decimals. A number that is NAN is
 * not known. A file has more digits. */
void sl_sheet_text(struct sl_sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sl_sheet_word(struct sl_sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The first cell of a row in a page: a link to a chart. */
void sl_sheet_link(struct sl_sheet *sheet, const char *id, const char *text);
void sl_sheet_count(struct sl_sheet *sheet, uint64_t count);
void sl_sheet_number(struct sl_sheet *sheet, int decimals, double number);
/* A published number, written as short as possible; 0 or NAN: there is none. */
void sl_sheet_published(struct sl_sheet *sheet, double number);
void sl_sheet_end_row(struct sl_sheet *sheet);
/* A row of the page that explains the row above, in HTML. */
void sl_sheet_begin_remark(const struct sl_sheet *sheet);
void sl_sheet_end_remark(const struct sl_sheet *sheet);

/* A table; `digits` are the significant digits of numbers in its file, or if negative their decimals. */
struct sl_paper_table {
  const char *const *titles; /* in a page or as text, as in sl_table_init() */
  const char *columns;       /* first line of its file */
  int digits;
  void (*rows)(struct sl_sheet *sheet, const struct sl_paper_runs *runs);
};

#define SL_PAPER_TITLES(...)                                                                                           \
  (const char *const[])                                                                                                \
  {                                                                                                                    \
    __VA_ARGS__, NULL                                                                                                  \
  }

/* A section of the page, in HTML: heading, text, a table, the charts of its number, other contents, and notes. */
struct sl_paper_section {
  const char *heading, *text; /* NULL: none */
  const struct sl_paper_table *table;
  unsigned charts; /* number that charts have; 0: none */
  void (*contents)(FILE *f, const struct sl_paper_runs *runs);
  const char *notes;
  bool (*shown)(const struct sl_paper_runs *runs); /* NULL: always */
};

/* A chart of the page. */
struct sl_paper_chart {
  struct sl_chart chart;
  const char *caption, *of; /* the caption, or what follows the title in it; NULL: the title only */
  unsigned section;
};

struct sl_paper_charts {
  struct sl_paper_chart chart[SL_PAPER_CHARTS];
  size_t count;
};

struct sl_paper_file {
  const char *name;
  const struct sl_paper_table *table;
  bool (*wanted)(const struct sl_paper_runs *runs); /* NULL: always */
};

struct sl_paper_report {
  const char *title; /* of the page */
  void (*draw)(const struct sl_paper_runs *runs, struct sl_paper_charts *charts);
  bool drawings;                                                /* charts are SVG files, too */
  void (*introduce)(FILE *f, const struct sl_paper_runs *runs); /* continues "Reproduction of TITLE" */
  const struct sl_paper_section *sections;                      /* end with an empty one */
  const struct sl_paper_file *files;                            /* end with an empty one */
  const struct sl_paper_table *summary;                         /* printed */
  void (*print)(const struct sl_paper_runs *runs);              /* prints more; NULL: nothing */
};

/* Adds a chart to a section; the caller adds its series, and sets its caption if it is not the title. */
struct sl_paper_chart *sl_paper_add_chart(struct sl_paper_charts *charts, unsigned section, const char *id,
                                          const char *title, const char *unit, const char *group_title);

/* Writes all files of the report, and prints the summary. */
enum sl_status sl_paper_write(struct sl_paper_runs *runs, struct sl_error *err);

/* The rows of a table of the configurations. */
void sl_paper_config_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs);

#endif
