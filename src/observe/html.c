#include "observe/html.h"

#include "base/safe_text.h"

/* observe/html.c has the colours of data. */
static const char style[] =
    ":root{color-scheme:light "
    "dark;--paper:#fff;--ink:#1a1d21;--faint:#667;--rule:#d8dbe0;--stripe:#f5f6f8;--link:#0b57a4;--heat:255 120 0}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#16191d;--ink:#dfe3e8;--faint:#98a0ab;--rule:#363c44;"
    "--stripe:#1d2126;--link:#7db8f0;--heat:255 110 0}}\n"
    "body{overflow-wrap:anywhere;margin:1.5rem auto;padding:0 "
    "1rem;max-width:120rem;background:var(--paper);color:var(--ink);"
    "font:15px/1.45 system-ui,sans-serif}\n"
    "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}a{color:var(--link)}p{max-width:60rem}\n"
    "table{margin:.6rem 0;border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.87rem}\n"
    "th,td{padding:.15rem .5rem;text-align:left;white-space:nowrap;border-bottom:1px solid var(--rule)}\n"
    "th{position:sticky;top:0;background:var(--stripe);vertical-align:bottom}.number{text-align:right}\n"
    "th "
    "button{font:inherit;color:inherit;background:none;border:0;padding:0;margin:0;text-align:inherit;cursor:pointer}"
    "th button:focus-visible{outline:2px solid "
    "var(--link);outline-offset:2px}th[aria-sort=ascending]::after{content:\" \\25b4\"}"
    "th[aria-sort=descending]::after{content:\" \\25be\"}\n"
    "code,pre,.code{font:13px/1.4 ui-monospace,monospace}.code{white-space:pre}.faint{color:var(--faint)}\n"
    ".wide{overflow-x:auto}summary{cursor:pointer;padding:.3rem 0}.heat{background:rgb(var(--heat)/var(--h))}\n"
    "span.bar{display:inline-flex;width:7rem;height:.7rem;background:var(--stripe);outline:1px solid var(--rule);"
    "vertical-align:middle}.part{margin-left:.4rem}span.bar.long{min-width:0;max-width:100%}td:has(.long){width:40rem;"
    "min-width:16rem}tbody th{vertical-align:middle;position:static;white-space:normal}"
    "span.key{white-space:nowrap}\n"
    "span.bar i{height:100%;box-shadow:inset -1px 0 var(--paper)}.key "
    "i{display:inline-block;width:.7rem;height:.7rem;margin:0 .3rem 0 .8rem}\n"
    "svg{max-width:100%}svg.plot,.sl-chart{min-width:40rem;height:auto}svg.plot{background:var(--stripe)}svg.plot "
    "text{fill:var(--faint);font-size:12px}"
    "svg.plot .line{fill:none;stroke:var(--series);stroke-width:1.5}svg.plot .axis{stroke:var(--rule)}svg.plot "
    ".capacity{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:2 3}\n"
    "svg.plot .roof{fill:none;stroke:var(--ink);stroke-width:1.5}svg.plot .roof.pad{stroke-dasharray:6 4}"
    "svg.plot text.name{fill:var(--ink)}svg.plot circle.dram{fill:var(--dram)}svg.plot rect.pad{fill:var(--pad)}\n"
    "figure{margin:1rem 0;overflow-x:auto}figcaption{color:var(--faint);max-width:60rem}.soft{color:var(--faint)}\n"
    ".figures th,.figures td{text-align:right;padding:.25rem .7rem}"
    ".figures th:first-child,.figures td:first-child,.figures "
    "td.text{text-align:left}td.text{white-space:normal;max-width:60rem}\n";

/* Titles of sortable tables become buttons, which the keyboard can use, too. The first click sorts numbers in
 * descending order and texts in ascending order; cells without a number come last. A select element shows the selected
 * group of its plot. */
static const char script[] =
    "for(const table of document.querySelectorAll('table.sortable'))\n"
    "  for(const title of table.tHead.rows[0].cells){\n"
    "    const button=document.createElement('button');\n"
    "    button.type='button';button.append(...title.childNodes);title.append(button);\n"
    "    button.addEventListener('click',()=>{\n"
    "      const text=row=>{const c=row.cells[title.cellIndex];return (c.dataset.v??c.textContent).trim()};\n"
    "      const number=row=>/^[-\\u2013]$/.test(text(row))?-Infinity:Number(text(row).replace(/[,+%\\s]/g,''));\n"
    "      const rows=[...table.tBodies[0].rows];\n"
    "      const numbers=rows.every(row=>text(row)!==''&&!isNaN(number(row)));\n"
    "      const sorted=title.getAttribute('aria-sort'),up=sorted?sorted==='descending':!numbers;\n"
    "      for(const other of table.tHead.rows[0].cells)other.removeAttribute('aria-sort');\n"
    "      title.setAttribute('aria-sort',up?'ascending':'descending');\n"
    "      rows.sort((a,b)=>{if(!numbers)return text(a).localeCompare(text(b))*(up?1:-1);\n"
    "        const x=number(a),y=number(b);return x===y?0:(x-y)*(up?1:-1)});\n"
    "      table.tBodies[0].append(...rows)})}\n"
    "for(const choice of document.querySelectorAll('select[data-for]')){\n"
    "  const show=()=>{for(const group of document.getElementById(choice.dataset.for).querySelectorAll('g.launch'))\n"
    "    group.style.display=group.dataset.launch===choice.value?'':'none'};\n"
    "  choice.addEventListener('change',show);show()}\n";

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

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

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

void sl_html_begin(FILE *f, const char *title)
{
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
        f);
  sl_html_text(f, title);
  fprintf(f, "</title>\n<style>\n%s", style);
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
  fprintf(f, "<script>\n%s</script>\n</body>\n</html>\n", script);
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

void sl_html_begin_table(FILE *f, const char *const *titles)
{
  fputs("<div class=\"wide\"><table class=\"figures\">\n<thead><tr>", f);
  for (; *titles != NULL; titles++)
    sl_html_element(f, "th", *titles);
  fputs("</tr></thead>\n<tbody>\n", f);
}

void sl_html_end_table(FILE *f)
{
  fputs("</tbody></table></div>\n", f);
}

/* After Okabe and Ito. */
static const struct sl_colour series[] = {{"#0072b2", "#4aa3df", false}, {"#d55e00", "#d55e00", false},
                                          {"#009e73", "#009e73", false}, {"#cc79a7", "#cc79a7", false},
                                          {"#e69f00", "#e69f00", false}, {"#56b4e9", "#56b4e9", false}};

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
