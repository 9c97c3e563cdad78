#include "cli/disasm_ptx.h"

#include <stdio.h>
#include <string.h>

#include "observe/terminal.h"
#include "program/source.h"
#include "ptx/text/ptx_module.h"

bool sl_is_ptx(const char *path)
{
  const char *dot = strrchr(path, '.');
  return dot != NULL && strcmp(dot, ".ptx") == 0;
}

static void print_function(const struct sl_ptx_function *f)
{
  sl_print(stdout, "\n%s %s: %u parameter%s", f->entry ? "kernel" : "function", f->name, f->param_count,
           f->param_count == 1 ? "" : "s");
  if (f->entry)
    printf(", %u registers (about %u per thread), %u bytes shared, %u local", f->registers, f->regs_per_thread,
           f->shared_bytes, f->local_bytes);
  printf("\n");
}

/* The instruction's text from its guard to the semicolon, or to the end of its first line. */
static void print_text(const struct sl_source *source, const struct sl_ptx_insn *in)
{
  const char *line = sl_source_line(source, in->line);
  const char *start = line != NULL && strlen(line) >= in->column ? line + in->column - 1 : "";
  if (strchr("};", *start) != NULL)
    start = "ret"; /* the implicit return at the end of a function */
  for (; *start != '\0' && *start != ';'; start++)
    putchar(*start == '\t' ? ' ' : *start);
  if (in->kind == SL_PTX_K_BRANCH && in->reconvergence == SL_PTX_NOWHERE)
    printf("  // to %u", in->target);
  else if (in->kind == SL_PTX_K_BRANCH)
    printf("  // to %u, reconverges at %u", in->target, in->reconvergence);
  else if (in->kind == SL_PTX_K_CALL)
    printf("  // to %u", in->target);
  printf("\n");
}

static void print_module(const struct sl_ptx_module *m, const struct sl_source *source)
{
  static const char *const units[] = {[SL_PTX_INT] = "int", [SL_PTX_SP] = "fp32",    [SL_PTX_DP] = "fp64",
                                      [SL_PTX_SFU] = "sfu", [SL_PTX_TENSOR] = "mma", [SL_PTX_MEM] = "mem"};
  sl_print(stdout, "%s: %u instructions\n", m->path, m->code_count);
  for (unsigned i = 0; i < m->function_count; i++) {
    const struct sl_ptx_function *f = &m->functions[i];
    if (!f->defined)
      continue;
    print_function(f);
    for (uint32_t pc = f->begin; pc < f->end; pc++) {
      sl_print(stdout, "%6u  %-4s  ", pc, units[m->code[pc].unit]);
      print_text(source, &m->code[pc]);
    }
  }
}

enum sl_status sl_disasm_ptx(const char *path, struct sl_error *err)
{
  struct sl_ptx_module *m;
  struct sl_source source = {0};
  enum sl_status code = sl_ptx_load(&m, path, NULL, err);
  if (code != SL_OK)
    return code;
  code = sl_source_read(&source, path, err);
  if (code == SL_OK)
    print_module(m, &source);
  sl_source_free(&source);
  sl_ptx_free(m);
  return code;
}
