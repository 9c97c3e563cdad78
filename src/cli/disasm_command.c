/* simtlab disasm: a program's code with its functions and source lines. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "observe/terminal.h"
#include "observe/wrapped_text.h"
#include "program/program.h"
#include "program/source.h"

#define EVERY_SET (~0u)

enum { GAP = 2 };

/* The source file shown last. */
struct shown {
  const char *file; /* NULL: none yet */
  struct sl_source source;
};

/* As much of it as fits. Without memory for it a source is not shown, as one that cannot be read. */
static void print_source(struct shown *shown, const char *file, unsigned line)
{
  if (shown->file == NULL || strcmp(shown->file, file) != 0) {
    sl_source_free(&shown->source);
    shown->file = file;
    sl_source_read(&shown->source, file, NULL);
  }
  const char *text = sl_source_line(&shown->source, line), *slash = strrchr(file, '/');
  const int used = printf("; %s:%u", slash != NULL ? slash + 1 : file, line);
  const size_t columns = sl_terminal_of(stdout).columns;
  if (text != NULL && used > 0 && (size_t)used + GAP < columns)
    printf("  %.*s", (int)sl_text_fitting(text, columns - (size_t)used - GAP), text);
  printf("\n");
}

static void print_instruction(uint32_t address, uint32_t word)
{
  char text[128];
  struct sl_insn insn = sl_decode(word, EVERY_SET);
  sl_disassemble(&insn, address, text, sizeof text);
  printf("%8" PRIx32 ":\t%08" PRIx32 "\t%s\n", address, word, text);
}

/* Functions only, since a code segment may begin with headers; a program without symbols is shown from its entry. */
static void print_segment(const struct sl_program *program, const struct sl_segment *segment, bool symbols,
                          struct shown *shown)
{
  struct sl_location last = {0};
  for (uint32_t offset = 0; offset + 4 <= segment->file_size; offset += 4) {
    uint32_t address = segment->address + offset;
    struct sl_location at = sl_program_locate(program, address);
    if (symbols ? at.function == NULL : address < sl_program_entry(program))
      continue;
    if (at.function != NULL && at.function_offset == 0)
      printf("\n%08" PRIx32 " <%s>:\n", address, at.function);
    if (at.file != NULL && (at.line != last.line || at.file != last.file || at.function_offset == 0))
      print_source(shown, at.file, at.line);
    last = at;
    print_instruction(address, sl_program_word(program, address));
  }
}

static void print_program(const struct sl_program *program)
{
  struct shown shown = {0};
  bool symbols = sl_program_locate(program, sl_program_entry(program)).function != NULL;
  printf("%s: entry %08" PRIx32 "\n", sl_program_name(program), sl_program_entry(program));
  for (size_t i = 0; i < sl_program_segment_count(program); i++)
    if (sl_program_segment(program, i)->executable)
      print_segment(program, sl_program_segment(program, i), symbols, &shown);
  sl_source_free(&shown.source);
}

static enum sl_status disasm_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  static const struct sl_option options[] = {{0}};
  struct sl_operands operands;
  struct sl_program *program;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count != 1)
    return sl_fail(err, SL_USAGE, "one program is needed: simtlab disasm PROGRAM.elf");
  code = sl_program_load(operands.items[0], &program, err);
  if (code != SL_OK)
    return code;
  print_program(program);
  sl_program_free(program);
  return SL_OK;
}

const struct sl_command sl_disasm_command = {
    .name = "disasm",
    .operands = "PROGRAM.elf",
    .summary = "List a program's instructions with functions and source lines",
    .listing = true,
    .run = disasm_command,
};
