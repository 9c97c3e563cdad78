#include "observe/html.h"

/* Colours have names here and nowhere else. --k0 to --k9 and --r0 to --r2 tell series apart, also for readers who do
 * not see red and green apart. */
static const char style[] =
    ":root{color-scheme:light "
    "dark;--paper:#fff;--ink:#1a1d21;--faint:#667;--rule:#d8dbe0;--stripe:#f5f6f8;--link:#0b57a4;--heat:255 120 0;"
    "--r0:#0072b2;--r1:#56b4e9;--r2:#e69f00;"
    "--k0:#2a9d6f;--k1:#f0d442;--k2:#a0a4ab;--k3:#d55e00;--k4:#cc79a7;--k5:#e69f00;--k6:#7b61c9;--k7:#0072b2;"
    "--k8:#8c6d46;--k9:#5c6370}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#16191d;--ink:#dfe3e8;--faint:#98a0ab;--rule:#363c44;"
    "--stripe:#1d2126;--link:#7db8f0;--heat:255 110 0}}\n"
    "body{margin:1.5rem auto;padding:0 1rem;max-width:90rem;background:var(--paper);color:var(--ink);"
    "font:15px/1.45 system-ui,sans-serif}\n"
    "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}a{color:var(--link)}p{max-width:60rem}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.87rem}\n"
    "th,td{padding:.15rem .5rem;text-align:left;white-space:nowrap;border-bottom:1px solid var(--rule)}\n"
    "th{position:sticky;top:0;background:var(--stripe);vertical-align:bottom}.number{text-align:right}\n"
    ".sortable th{cursor:pointer}th[aria-sort=ascending]::after{content:\" \\25b4\"}"
    "th[aria-sort=descending]::after{content:\" \\25be\"}\n"
    "code,pre,.code{font:13px/1.4 ui-monospace,monospace}.code{white-space:pre}.faint{color:var(--faint)}\n"
    ".wide{overflow-x:auto}summary{cursor:pointer;padding:.3rem 0}.heat{background:rgb(var(--heat)/var(--h))}\n"
    "span.bar{display:inline-flex;width:7rem;height:.7rem;background:var(--stripe);outline:1px solid var(--rule);"
    "vertical-align:middle}\n"
    "span.bar i{height:100%}.key i{display:inline-block;width:.7rem;height:.7rem;margin:0 .3rem 0 .8rem}\n"
    ".r0{background:var(--r0)}.r1{background:var(--r1)}.r2{background:var(--r2)}"
    ".k0{background:var(--k0)}.k1{background:var(--k1)}.k2{background:var(--k2)}.k3{background:var(--k3)}"
    ".k4{background:var(--k4)}.k5{background:var(--k5)}.k6{background:var(--k6)}.k7{background:var(--k7)}"
    ".k8{background:var(--k8)}.k9{background:var(--k9)}\n"
    "svg{max-width:100%}svg.plot{background:var(--stripe)}svg.plot text{fill:var(--faint);font-size:12px}"
    "svg.plot .line{fill:none;stroke:var(--r0);stroke-width:1.5}svg.plot .axis{stroke:var(--rule)}\n"
    "svg.plot .roof{fill:none;stroke:var(--ink);stroke-width:1.5}svg.plot .roof.pad{stroke-dasharray:6 4}"
    "svg.plot text.name{fill:var(--ink)}svg.plot circle.dram{fill:var(--k5)}svg.plot rect.pad{fill:var(--r1)}\n"
    "figure{margin:1rem 0;overflow-x:auto}figcaption{color:var(--faint);max-width:60rem}.soft{color:var(--faint)}\n"
    ".figures th,.figures td{text-align:right;padding:.25rem .7rem}"
    ".figures th:first-child,.figures td:first-child,.figures td.text{text-align:left}td.text{white-space:normal}\n";

/* Numbers begin with their greatest, texts with their first. */
static const char script[] =
    "for(const table of document.querySelectorAll('table.sortable'))\n"
    "  for(const title of table.tHead.rows[0].cells)\n"
    "    title.addEventListener('click',()=>{\n"
    "      const value=row=>{const c=row.cells[title.cellIndex];return c.dataset.v??c.textContent};\n"
    "      const rows=[...table.tBodies[0].rows];\n"
    "      const numbers=rows.every(row=>value(row).trim()!==''&&!isNaN(value(row)));\n"
    "      const sorted=title.getAttribute('aria-sort'),up=sorted?sorted==='descending':!numbers;\n"
    "      for(const other of table.tHead.rows[0].cells)other.removeAttribute('aria-sort');\n"
    "      title.setAttribute('aria-sort',up?'ascending':'descending');\n"
    "      rows.sort((a,b)=>{const x=value(a),y=value(b);\n"
    "        return (numbers?x-y:x.localeCompare(y))*(up?1:-1)});\n"
    "      table.tBodies[0].append(...rows)});\n";

void sl_html_begin(FILE *f, const char *title)
{
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
        f);
  sl_html_text(f, title);
  fprintf(f, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
  sl_html_text(f, title);
  fputs("</h1>\n", f);
}

void sl_html_end(FILE *f)
{
  fprintf(f, "<script>\n%s</script>\n</body>\n</html>\n", script);
}

void sl_html_text(FILE *f, const char *text)
{
  for (; *text != '\0'; text++)
    switch (*text) {
    case '<': fputs("&lt;", f); break;
    case '>': fputs("&gt;", f); break;
    case '&': fputs("&amp;", f); break;
    case '"': fputs("&quot;", f); break;
    case '\'': fputs("&#39;", f); break;
    default: fputc(*text, f);
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
