/* HTML page of the evaluation. */
#include <inttypes.h>
#include <string.h>

#include "cli/help/provenance.h"
#include "cli/paper/isa64/paper_isa64_figures.h"
#include "observe/chart.h"
#include "observe/html.h"
#include "observe/table.h"

static void put_cell(FILE *f, double value)
{
  char text[32];
  fprintf(f, "<td>%s</td>", sl_grouped((uint64_t)value, text));
}

static void put_introduction(FILE *f, const struct sl_isa64_runs *runs)
{
  fputs("<p>Reproduction of ", f);
  sl_html_text(f, runs->paper->title);
  fprintf(f, ", section 4, with extensions: %zu programs, %zu runs at the %s sizes, by simtlab %s.</p>\n",
          runs->program_count, runs->count, runs->order->size, SL_VERSION);
  fputs(
      "<p class=\"soft\">Four compilers: <b>stock</b>, Clang 19's code for the 32 registers of RISC-V, each "
      "instruction translated to one word (the paper's baseline); <b>unaware</b>, for 128 registers without regard "
      "for banks; <b>first-fit</b>, the paper's rule: the first free register whose bank differs from those of the "
      "same "
      "instructions' operands (its bank-aware); <b>cost</b>, the register with the least cost of conflicts, copies and "
      "saves (ours). The last three start from the same selected and scheduled instructions. Results are checked: "
      "the report checks bare programs, the others check themselves.</p>\n",
      f);
  for (enum sl_isa64_part p = 0; p < SL_ISA64_PARTS; p++)
    if (!runs->chosen[p]) {
      fputs("<p>Not all parts were run: missing parts were not chosen.</p>\n", f);
      return;
    }
}

static void put_charts(FILE *f, const struct sl_isa64_page *page, enum sl_isa64_part part)
{
  for (size_t c = 0; c < page->charts->count; c++) {
    const struct sl_chart *chart = &page->charts->chart[c];
    if (page->charts->part[c] != part)
      continue;
    fputs("<figure>\n", f);
    sl_svg_chart(f, chart);
    fprintf(f,
            "<figcaption>%s%s. Numbers: <a href=\"%s.csv\">%s.csv</a>; drawing: <a "
            "href=\"%s.svg\">%s.svg</a>.</figcaption>\n</figure>\n",
            chart->title,
            strncmp(chart->id, "tiles-", 6) != 0 ? ""
            : strstr(chart->id, "words") != NULL ? ", words"
                                                 : ", floats",
            chart->id, chart->id, chart->id, chart->id);
  }
}

static void put_measure(FILE *f, const struct sl_isa64_runs *runs, const struct sl_isa64_measure *m)
{
  fputs("<tr>", f);
  fprintf(f, "<td>%s (%s)</td>", m->what, m->where);
  for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++)
    put_cell(f, sl_isa64_measured(runs, m, c));
  for (size_t p = 0; p < SL_ISA64_PUBLISHED; p++)
    put_cell(f, m->published[p]);
  fputs("</tr>\n<tr><td class=\"text soft\" colspan=\"8\">", f);
  sl_html_text(f, m->remark);
  fputs("</td></tr>\n", f);
}

static void put_paper(FILE *f, const struct sl_isa64_page *page)
{
  static const char *const titles[] = {
      "", "stock", "unaware", "first-fit", "cost", "paper: baseline", "bank-unaware", "bank-aware", NULL};
  const struct sl_isa64_runs *runs = page->runs;
  if (!runs->chosen[SL_ISA64_VECADD] && !runs->chosen[SL_ISA64_GEMM])
    return;
  fputs("<h2>The paper's measurements</h2>\n<p>On <code>cyclotron</code>, its emulator: 4 warps of 4 lanes, 128 "
        "registers in 4 banks; the first warp that returns ends the run. The authors' own gemm for 128 registers, "
        "compiled by them with their bank-aware allocation, gives all published counts exactly on this machine. The "
        "programs below are compiled by this command from sources that follow the paper's text. Static conflicts are "
        "those of "
        "instructions with three registers only, as in its Table 1.</p>\n",
        f);
  sl_html_begin_table(f, titles);
  for (const struct sl_isa64_measure *m = sl_isa64_measures; m < sl_isa64_measures + SL_ISA64_MEASURES; m++)
    if (runs->chosen[m->part])
      put_measure(f, runs, m);
  sl_html_end_table(f);
  fputs("<p class=\"soft\">Numbers: <a href=\"summary.csv\">summary.csv</a>.</p>\n", f);
  put_charts(f, page, SL_ISA64_GEMM);
}

static void put_run(FILE *f, const struct sl_isa64_runs *runs, const struct sl_isa64_run *run)
{
  fputs("<tr>", f);
  sl_html_element(f, "td", run->name);
  put_cell(f, runs->programs[run->program].instructions);
  put_cell(f, (double)sl_isa64_counter(runs, run, "thread_instrs"));
  put_cell(f, (double)sl_isa64_counter(runs, run, "bank_conflicts"));
  put_cell(f, (double)sl_isa64_counter(runs, run, "stack_reads"));
  put_cell(f, (double)sl_isa64_counter(runs, run, "stack_writes"));
  fputs("</tr>\n", f);
}

static void put_runs(FILE *f, const struct sl_isa64_runs *runs, enum sl_isa64_part part, const char *file)
{
  static const char *const titles[] = {
      "program", "instructions in the code", "lane instructions", "bank conflicts", "stack loads", "stack stores",
      NULL};
  sl_html_begin_table(f, titles);
  for (const struct sl_isa64_run *run = runs->runs; run < runs->runs + runs->count; run++)
    if (run->part == part)
      put_run(f, runs, run);
  sl_html_end_table(f);
  fprintf(f, "<p class=\"soft\">Numbers: <a href=\"%s\">%s</a>.</p>\n", file, file);
}

static void put_tiles(FILE *f, const struct sl_isa64_page *page)
{
  if (!page->runs->chosen[SL_ISA64_TILES])
    return;
  fputs("<h2>Larger tiles</h2>\n<p>The paper's gemm with larger tiles. The result has 8 x 8 tiles, so every "
        "thread computes four; each element is a sum of 64 products. Fused multiply-adds have "
        "three sources. All warps run to their end. A tile of 10 x 10 keeps 100 sums and reads 20 "
        "elements: it fills 128 registers, and hardly any choice is left to the banks; one of 12 x 12 does not "
        "fit.</p>\n",
        f);
  put_charts(f, page, SL_ISA64_TILES);
  put_runs(f, page->runs, SL_ISA64_TILES, "tiles.csv");
}

static void put_calls(FILE *f, const struct sl_isa64_page *page)
{
  if (!page->runs->chosen[SL_ISA64_CALLS])
    return;
  fputs(
      "<h2>Saved and temporary registers</h2>\n<p>The paper leaves the best division of 128 registers to a "
      "larger kernel. It depends on which function needs registers: <b>blocks</b> often calls a function that fills "
      "the "
      "register file and must save every callee-saved register; <b>steps</b> keeps 48 values over each call of a small "
      "function, and spills those that are not callee-saved to the stack. The numbers are saved registers beyond the "
      "12 "
      "of RISC-V; the paper has 48. The charts use <b>cost</b>.</p>\n",
      f);
  put_charts(f, page, SL_ISA64_CALLS);
  put_runs(f, page->runs, SL_ISA64_CALLS, "calls.csv");
}

static void put_fetch(FILE *f, const struct sl_isa64_runs *runs, const struct sl_isa64_run *run, const char *name,
                      const struct sl_isa64_run *base)
{
  fputs("<tr>", f);
  sl_html_element(f, "td", name);
  put_cell(f, (double)sl_isa64_counter(runs, run, "cycles"));
  fprintf(f, "<td>%.1f</td>",
          100 * (double)sl_isa64_counter(runs, run, "cycles") / (double)sl_isa64_counter(runs, base, "cycles"));
  put_cell(f, (double)sl_isa64_counter(runs, run, "warp_instrs"));
  put_cell(f, (double)sl_isa64_counter(runs, run, "icache.reads"));
  put_cell(f, (double)sl_isa64_counter(runs, run, "icache.misses"));
  put_cell(f, (double)sl_isa64_counter(runs, run, "operands.conflicts"));
  put_cell(f, (double)sl_isa64_counter(runs, run, "cycles.operands"));
  fputs("</tr>\n", f);
}

static void put_kernel(FILE *f, const struct sl_isa64_runs *runs, enum sl_isa64_part part)
{
  const struct sl_isa64_run *base = sl_isa64_find(runs, "%s-rv32-b%d", sl_isa64_parts[part], SL_ISA64_USUAL_BANKS);
  char name[48];
  snprintf(name, sizeof name, "%s, RV32", sl_isa64_parts[part]);
  put_fetch(f, runs, base, name, base);
  for (enum sl_isa64_compiler c = 0; c < SL_ISA64_COMPILERS; c++) {
    snprintf(name, sizeof name, "%s, %s", sl_isa64_parts[part], sl_isa64_compilers[c]);
    put_fetch(f, runs, sl_isa64_kernel(runs, part, c, SL_ISA64_USUAL_REGISTERS, SL_ISA64_USUAL_BANKS), name, base);
  }
}

static void put_kernels(FILE *f, const struct sl_isa64_page *page)
{
  static const char *const titles[] = {"128 registers, 4 banks",
                                       "cycles",
                                       "% of RV32's",
                                       "warp instructions",
                                       "instruction cache requests",
                                       "misses",
                                       "cycles by which conflicts lengthen collection",
                                       "cycles in which collection was full",
                                       NULL};
  if (!sl_isa64_has_kernels(page->runs))
    return;
  fputs(
      "<h2>Time on a pipeline</h2>\n<p>The paper's emulator has no timing. This section runs the kernels of "
      "<code>bench-vortex/</code> (plain variants) on <code>vortex64</code>, beside RV32 with floating-point registers "
      "on <code>vortex</code> with 4 banks. The counts cover the kernel only, not filling and checking its "
      "arrays. GCC compiled the RV32 "
      "programs and Clang the others, so instruction counts differ, too; compare stock with the others for the effect "
      "of "
      "registers. Words are twice as long, so a line of the instruction cache holds half as many. Where stock "
      "code saves registers on the stack, each lane accesses its own line of memory.</p>\n",
      f);
  put_charts(f, page, SL_ISA64_KERNELS);
  sl_html_begin_table(f, titles);
  for (enum sl_isa64_part p = SL_ISA64_KERNELS; p < SL_ISA64_PARTS; p++)
    if (page->runs->chosen[p])
      put_kernel(f, page->runs, p);
  sl_html_end_table(f);
  fputs("<p class=\"soft\">All numbers of registers and banks: <a href=\"kernels.csv\">kernels.csv</a>; all counters "
        "of the runs: <code>runs/</code>; the programs: <code>programs/</code>.</p>\n",
        f);
}

void sl_isa64_put_page(FILE *f, const void *context)
{
  const struct sl_isa64_page *page = context;
  sl_html_begin(f, "Redesigning the Vortex GPU ISA, reproduced");
  put_introduction(f, page->runs);
  put_paper(f, page);
  put_tiles(f, page);
  put_calls(f, page);
  put_kernels(f, page);
  sl_provenance_html_end(f);
}
