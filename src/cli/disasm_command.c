/* simtlab disasm: lists a program's code with functions and source lines. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/session.h"
#include "isa/isa.h"
#include "isa/wide.h"
#include "observe/terminal.h"
#include "program/program.h"
#include "ptx/ptx.h"

/* ---- PTX --------------------------------------------------------------------------------------------------------- */

static void print_ptx_function(const struct sl_ptx_function *f)
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
    print_ptx_function(f);
    for (uint32_t pc = f->begin; pc < f->end; pc++) {
      sl_print(stdout, "%6u  %-4s  ", pc, units[m->code[pc].unit]);
      print_text(source, &m->code[pc]);
    }
  }
}

/* Prints each function with its register and parameter counts, and each instruction with its PC and unit. A branch also
 * shows its target and reconvergence point. */
static enum sl_status disasm_ptx(const char *path, struct sl_error *err)
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

/* ---- machine code, and the command ------------------------------------------------------------------------------- */

enum { GAP = 2, USUAL_BANKS = 4 };

/* Instruction set of a program. */
struct reading {
  const struct sl_isa *isa;
  unsigned sets, banks; /* banks: of the register file of machines with 64-bit words */
};

/* The last source file shown. */
struct shown {
  const char *file; /* NULL: none yet */
  struct sl_source source;
};

/* As much of the name as fits. Without memory the source is not shown, like an unreadable one. */
static void print_source(struct shown *shown, const char *file, unsigned line)
{
  if (shown->file == NULL || strcmp(shown->file, file) != 0) {
    sl_source_free(&shown->source);
    shown->file = file;
    sl_source_read(&shown->source, file, NULL);
  }
  const char *text = sl_source_line(&shown->source, line), *slash = strrchr(file, '/');
  const int used = sl_print(stdout, "; %s:%u", slash != NULL ? slash + 1 : file, line);
  const size_t columns = sl_terminal_of(stdout).columns;
  if (text != NULL && used > 0 && (size_t)used + GAP < columns)
    sl_print(stdout, "  %.*s", (int)sl_text_fitting(text, columns - (size_t)used - GAP), text);
  printf("\n");
}

/* Register sources that the hardware reads sequentially because they share a bank; x0 is not read. */
static void print_conflicts(const struct sl_insn *insn, unsigned banks)
{
  const bool reads[] = {sl_reads_rs1(insn), sl_reads_rs2(insn), sl_reads_rs3(insn)};
  const unsigned source[] = {insn->rs1, insn->rs2, insn->rs3};
  for (unsigned i = 0; i < 3; i++)
    for (unsigned k = i + 1; k < 3; k++)
      if (reads[i] && reads[k] && source[i] != 0 && source[k] != 0 &&
          sl_bank_of(SL_BANK_MODULO, banks, SL_WIDE_REGISTERS, source[i]) ==
              sl_bank_of(SL_BANK_MODULO, banks, SL_WIDE_REGISTERS, source[k]))
        sl_print(stdout, "  # bank %u: %s, %s", source[i] % banks, sl_register_name(insn, source[i]),
                 sl_register_name(insn, source[k]));
}

static void print_instruction(const struct reading *reading, uint32_t address, uint64_t word)
{
  char text[128];
  const struct sl_insn insn = reading->isa->decode(word, reading->sets);
  sl_disassemble(&insn, address, text, sizeof text);
  sl_print(stdout, "%8" PRIx32 ":\t%0*" PRIx64 "\t%s", address, 2 * (int)reading->isa->word_bytes, word, text);
  if (reading->banks > 0)
    print_conflicts(&insn, reading->banks);
  printf("\n");
}

/* Lists functions only, because a code segment may begin with headers. A program without symbols is listed from its
 * entry. */
static void print_segment(const struct sl_program *program, const struct sl_segment *segment,
                          const struct reading *reading, bool symbols, struct shown *shown)
{
  struct sl_location last = {0};
  const uint32_t bytes = reading->isa->word_bytes;
  for (uint32_t offset = 0; offset + bytes <= segment->file_size; offset += bytes) {
    uint32_t address = segment->address + offset;
    struct sl_location at = sl_program_locate(program, address);
    if (symbols ? at.function == NULL : address < sl_program_entry(program))
      continue;
    if (at.function != NULL && at.function_offset == 0)
      sl_print(stdout, "\n%08" PRIx32 " <%s>:\n", address, at.function);
    if (at.file != NULL && (at.line != last.line || at.file != last.file || at.function_offset == 0))
      print_source(shown, at.file, at.line);
    last = at;
    uint64_t word = sl_program_word(program, address);
    if (bytes > 4)
      word |= (uint64_t)sl_program_word(program, address + 4) << 32;
    print_instruction(reading, address, word);
  }
}

static void print_program(const struct sl_program *program, const struct reading *reading)
{
  struct shown shown = {0};
  bool symbols = sl_program_locate(program, sl_program_entry(program)).function != NULL;
  sl_print(stdout, "%s: entry %08" PRIx32 "\n", sl_program_name(program), sl_program_entry(program));
  for (size_t i = 0; i < sl_program_segment_count(program); i++)
    if (sl_program_segment(program, i)->executable)
      print_segment(program, sl_program_segment(program, i), reading, symbols, &shown);
  sl_source_free(&shown.source);
}

/* The ELF header decides unless the user overrides it. The ABI distinguishes the two kinds of RV32 floating point. */
static enum sl_status choose_reading(const struct sl_program *program, const char *isa, uint64_t banks,
                                     struct reading *reading, struct sl_error *err)
{
  enum sl_isa_number number = sl_program_isa(program);
  if (isa != NULL && strcmp(isa, "rv32") != 0 && strcmp(isa, "wide64") != 0)
    return sl_fail(err, SL_USAGE, "--isa is rv32 or wide64, not '%.40s'", isa);
  if (banks > SL_BANKS_MAX)
    return sl_fail(err, SL_USAGE, "--banks is 1 to %d, not %" PRIu64, SL_BANKS_MAX, banks);
  if (isa != NULL)
    number = strcmp(isa, "rv32") == 0 ? SL_ISA_RV32 : SL_ISA_WIDE64;
  const unsigned integers = SL_ISA_ZFINX | SL_ISA_SIMT_FPU,
                 told = sl_program_isa(program) == SL_ISA_WIDE64 ? sl_program_banks(program) : 0;
  *reading =
      (struct reading){.isa = sl_isa(number), .sets = ~(sl_program_has_float_registers(program) ? integers : 0u)};
  if (number == SL_ISA_WIDE64)
    reading->banks = banks > 0 ? (unsigned)banks : told > 0 && told <= SL_BANKS_MAX ? told : USUAL_BANKS;
  return SL_OK;
}

static enum sl_status disasm_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  const char *isa = NULL;
  uint64_t banks = 0;
  const struct sl_option options[] = {
      {0, "isa", SL_OPTION_TEXT, "rv32|wide64", "instruction words [as the file's header says]", &isa},
      {0, "banks", SL_OPTION_NUMBER, "N", "register banks, with 64-bit words [as compiled, else 4]", &banks},
      {0},
  };
  struct sl_operands operands;
  struct sl_program *program;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count != 1)
    return sl_fail(err, SL_USAGE, "one program is needed: simtlab disasm PROGRAM.elf");
  if (sl_is_ptx(operands.items[0]))
    return isa == NULL && banks == 0 ? disasm_ptx(operands.items[0], err)
                                     : sl_fail(err, SL_USAGE, "--isa and --banks are for programs, not for PTX");
  code = sl_program_load(operands.items[0], &program, err);
  if (code != SL_OK)
    return code;
  struct reading reading = {0};
  code = choose_reading(program, isa, banks, &reading, err);
  if (code == SL_OK)
    print_program(program, &reading);
  sl_program_free(program);
  return code;
}

const struct sl_command sl_disasm_command = {
    .name = "disasm",
    .operands = "PROGRAM.elf",
    .summary = "List a program's instructions with functions and source lines",
    .details = "A file X.ptx is listed after resolution, with units and points of reconvergence.\n",
    .listing = true,
    .run = disasm_command,
};
