#include "observe/html.h"

#include "base/error.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The style, without the colours of data, and the script (runtime/report). */
static const char *const style[] = {
#include "report.css.inc"
};

static const char *const script[] = {
#include "report.js.inc"
};

/* Lightness and hue are chosen so that any two unstriped colours differ by at least 20 in CIELAB, for full colour
 * vision and for protanopes and deuteranopes (Machado et al., 2009). tests/cli/colours.sh measures this. */
static const struct sl_colour causes[SL_STALL_REASON_KINDS] = {
    [SL_STALL_REASON_ISSUED] = {"#3cb05b", "#50c46b", false},
    [SL_STALL_REASON_AGAIN] = {"#f8de2a", "#fef428", false},
    [SL_STALL_REASON_LOST] = {"#ada399", "#caaaaa", false},
    [SL_STALL_REASON_SPILL] = {"#ba87bb", "#b09bcc", false},
    [SL_STALL_REASON_UNSPILL] = {"#ba87bb", "#b09bcc", true},
    [SL_STALL_REASON_MEMORY] = {"#ea8702", "#ef8e00", false},
    [SL_STALL_REASON_STREAM] = {"#ea8702", "#ef8e00", true},
    [SL_STALL_REASON_UNIT] = {"#674ae1", "#7a5fff", false},
    [SL_STALL_REASON_OPERANDS] = {"#674ae1", "#7a5fff", true},
    [SL_STALL_REASON_BARRIER] = {"#146fbf", "#4c7fd4", false},
    [SL_STALL_REASON_PIPELINE] = {"#765634", "#82664f", false},
    [SL_STALL_REASON_FETCH] = {"#bd5009", "#c44d19", false},
    [SL_STALL_REASON_INITIAL] = {"#bd5009", "#c44d19", true},
    [SL_STALL_REASON_ENDING] = {"#4b5555", "#54607c", false},
};

/* Uniform, affine, general: shades of one hue that no stall reason has. */
static const struct sl_colour regularities[] = {
    {"#bfe6ea", "#2d5a61", false}, {"#5fb8c4", "#4ba5b1", false}, {"#146c7a", "#a8e3ea", false}};

/* For plots and charts with a single series. */
static const struct sl_colour only = {"#6b7280", "#8d96a5", false};

static void put_properties(FILE *f, char letter, const struct sl_colour *colours, size_t count, bool dark)
{
  for (size_t i = 0; i < count; i++)
    fprintf(f, "--%c%zu:%s;", letter, i, dark ? colours[i].dark : colours[i].light);
}

/* Memory has one colour, both for waiting and for transfers. */
static void put_root(FILE *f, bool dark)
{
  fputs(":root{", f);
  put_properties(f, 'k', causes, COUNT(causes), dark);
  put_properties(f, 'r', regularities, COUNT(regularities), dark);
  fprintf(f, "--series:%s;--dram:var(--k%d);--pad:var(--r1)}", dark ? only.dark : only.light, SL_STALL_REASON_MEMORY);
}

static void put_classes(FILE *f, char letter, const struct sl_colour *colours, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    fprintf(f, ".%c%zu{background:", letter, i);
    if (colours[i].striped)
      fputs("repeating-linear-gradient(135deg,transparent 0 2px,var(--paper) 2px 4px)", f);
    fprintf(f, "%svar(--%c%zu)}", colours[i].striped ? " " : "", letter, i);
  }
  fputs("\n", f);
}

struct sl_colour sl_palette_reason(enum sl_stall_reason_kind kind)
{
  return causes[kind];
}

/* For a page: writes custom properties --k0, ... and the classes that fill an element with them. */
static void palette_css(FILE *f)
{
  put_root(f, false);
  fputs("\n@media(prefers-color-scheme:dark){", f);
  put_root(f, true);
  fputs("}\n", f);
  put_classes(f, 'k', causes, COUNT(causes));
  put_classes(f, 'r', regularities, COUNT(regularities));
}

static void put_lines(FILE *f, const char *const *lines, size_t count)
{
  for (size_t i = 0; i < count; i++)
    fputs(lines[i], f);
}

void sl_html_begin(FILE *f, const char *title)
{
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
        f);
  sl_html_text(f, title);
  fputs("</title>\n<style>\n", f);
  put_lines(f, style, COUNT(style));
  palette_css(f);
  fputs("</style>\n</head>\n<body>\n<h1>", f);
  sl_html_text(f, title);
  fputs("</h1>\n", f);
}

void sl_html_end(FILE *f, const char *origin)
{
  if (origin != NULL) {
    fputs("<p class=\"faint origin\">", f);
    sl_html_text(f, origin);
    fputs("</p>\n", f);
  }
  fputs("<script>\n", f);
  put_lines(f, script, COUNT(script));
  fputs("</script>\n</body>\n</html>\n", f);
}

void sl_html_text(FILE *f, const char *text)
{
  char piece[SL_SAFE_PIECE];
  for (; *text != '\0'; text += sl_safe_next(text, piece))
    switch (*text) {
    case '<': fputs("&lt;", f); break;
    case '>': fputs("&gt;", f); break;
    case '&': fputs("&amp;", f); break;
    case '"': fputs("&quot;", f); break;
    case '\'': fputs("&#39;", f); break;
    default: sl_safe_next(text, piece); fputs(piece, f);
    }
}

void sl_html_element(FILE *f, const char *element, const char *text)
{
  fprintf(f, "<%s>", element);
  sl_html_text(f, text);
  fprintf(f, "</%s>", element);
}

void sl_html_end_table(FILE *f)
{
  fputs("</tbody></table></div>\n", f);
}

/* After Okabe and Ito. */
static const struct sl_colour series[] = {{"#0072b2", "#4aa3df", false}, {"#d55e00", "#d55e00", false},
                                          {"#009e73", "#009e73", false}, {"#cc79a7", "#cc79a7", false},
                                          {"#c27f00", "#e69f00", false}, {"#3f97c9", "#56b4e9", false}};

static void put_series(FILE *f, const char *scope, bool dark)
{
  for (size_t i = 0; i < COUNT(series); i++)
    fprintf(f, "%s .s%zu{fill:%s}", scope, i, dark ? series[i].dark : series[i].light);
  fprintf(f, "%s .only{fill:%s}", scope, dark ? only.dark : only.light);
}

void sl_palette_series_css(FILE *f, const char *scope)
{
  put_series(f, scope, false);
  fputs("@media(prefers-color-scheme:dark){", f);
  put_series(f, scope, true);
  fputs("}", f);
}
