/* simtlab cl: what an OpenCL device makes of a file of kernels: their arguments, sizes, registers, annotations and
 * code. The OpenCL client compiles the file, through the helper simtlab-cl, as it does for any program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/session.h"
#include "compiler/cc/tools.h"
#include "observe/output.h"
#include "observe/terminal.h"
#include "program/program.h"
#include "ptx/ptx.h"

static const char variable[] = "SIMTLAB_OPENCL_DEVICES";

struct cl_options {
  const char *machine, *output;
  struct sl_list defines, includes;
  bool code;
};

/* The client is beside the command in a build folder; else the system's loader of libraries finds it. */
static void find_client(char path[SL_PATH])
{
  sl_find_helper("libsimtlab-opencl.so", path);
  if (access(path, R_OK) != 0)
    snprintf(path, SL_PATH, "libsimtlab-opencl.so");
}

/* ---- code -------------------------------------------------------------------------------------------------------- */

/* What the instructions of a kernel's function show. */
struct figures {
  uint64_t instructions, annotations;
  uint64_t registers[4]; /* set of registers that are written; 256 of 64-bit words */
};

static void count_instruction(struct figures *f, const struct sl_insn *in)
{
  static const char *const names[] = {"vx_split", "vx_join", "vx_pred", "simt.push", "simt.pop"};
  char text[128];
  f->instructions++;
  if (in->rd != 0)
    f->registers[in->rd / 64] |= UINT64_C(1) << in->rd % 64;
  sl_disassemble(in, 0, text, sizeof text);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    f->annotations += strncmp(text, names[i], strlen(names[i])) == 0;
}

/* A kernel's code is in the function of its name, or in NAME.thread behind an entry that sets up the stack. */
static void print_function(const struct sl_program *program, const char *name)
{
  const struct sl_isa *isa = sl_isa(sl_program_isa(program));
  struct figures f = {0};
  unsigned registers = 0;
  const size_t length = strlen(name);
  for (size_t s = 0; s < sl_program_segment_count(program); s++) {
    const struct sl_segment *segment = sl_program_segment(program, s);
    for (uint32_t at = 0; segment->executable && at + isa->word_bytes <= segment->file_size; at += isa->word_bytes) {
      const uint32_t address = segment->address + at;
      const char *function = sl_program_locate(program, address).function;
      if (function == NULL || strncmp(function, name, length) != 0 ||
          (function[length] != '\0' && strcmp(function + length, ".thread") != 0))
        continue;
      uint64_t word = sl_program_word(program, address);
      if (isa->word_bytes > 4)
        word |= (uint64_t)sl_program_word(program, address + 4) << 32;
      const struct sl_insn in = isa->decode(word, ~0u);
      count_instruction(&f, &in);
    }
  }
  for (unsigned i = 0; i < 4; i++)
    registers += sl_count(f.registers[i]);
  sl_print(stdout, "code of %s: %llu instructions, %u registers, %llu reconvergence annotations\n", name,
           (unsigned long long)f.instructions, registers, (unsigned long long)f.annotations);
}

static enum sl_status print_functions(const char *code, const char *kernels, struct sl_error *err)
{
  static const char begins[] = "kernel ";
  struct sl_program *program = NULL;
  enum sl_status status = sl_program_load(code, &program, err);
  for (const char *at = kernels; status == SL_OK && at != NULL && *at != '\0';) {
    char name[256];
    if (strncmp(at, begins, sizeof begins - 1) == 0) {
      snprintf(name, sizeof name, "%.*s", (int)strcspn(at + sizeof begins - 1, ":"), at + sizeof begins - 1);
      print_function(program, name);
    }
    at = strchr(at, '\n');
    at = at != NULL ? at + 1 : NULL;
  }
  sl_program_free(program);
  return status;
}

static enum sl_status print_entries(const char *code, struct sl_error *err)
{
  struct sl_ptx_module *module = NULL;
  const enum sl_status status = sl_ptx_load(&module, code, NULL, err);
  for (unsigned i = 0; status == SL_OK && i < module->function_count; i++) {
    const struct sl_ptx_function *f = &module->functions[i];
    if (f->entry)
      sl_print(stdout, "code of %s: about %u registers\n", f->name, f->regs_per_thread);
  }
  sl_ptx_free(module);
  return status;
}

/* PTX is text; an executable begins with its magic number. */
static bool is_executable(const char *path)
{
  char magic[4] = "";
  FILE *file = fopen(path, "rb");
  const bool is =
      file != NULL && fread(magic, 1, sizeof magic, file) == sizeof magic && memcmp(magic, "\177ELF", 4) == 0;
  if (file != NULL)
    fclose(file);
  return is;
}

static enum sl_status list_code(const char *path, struct sl_error *err)
{
  char disasm[] = "disasm", *words[] = {disasm, (char *)(uintptr_t)path, NULL};
  return sl_disasm_command.run(&sl_disasm_command, 2, words, err);
}

/* The output appears whole. */
static enum sl_status copy(const char *from, const char *to, struct sl_error *err)
{
  struct sl_output output;
  char bytes[4096];
  size_t n;
  FILE *file = fopen(from, "rb");
  enum sl_status status = file != NULL ? sl_output_open(&output, to, err) : sl_fail(err, SL_USAGE, "no code");
  while (status == SL_OK && (n = fread(bytes, 1, sizeof bytes, file)) > 0)
    sl_output_write(&output, bytes, n);
  if (file != NULL)
    fclose(file);
  return status == SL_OK ? sl_output_close(&output, err) : status;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

/* The build options of OpenCL are those of the command. */
static void add_options(struct sl_words *words, const struct cl_options *o)
{
  for (size_t i = 0; i < o->defines.count; i++)
    sl_words_add_text(words, "-D%s", o->defines.items[i]);
  for (size_t i = 0; i < o->includes.count; i++)
    sl_words_add_text(words, "-I%s", o->includes.items[i]);
}

static enum sl_status compile(const struct cl_options *o, const char *file, const char *code, struct sl_error *err)
{
  char helper[SL_PATH], client[SL_PATH];
  struct sl_log log = {0};
  struct sl_tools tools = {.log = &log};
  struct sl_words words = {0};
  sl_find_helper("simtlab-cl", helper);
  find_client(client);
  if (access(helper, X_OK) != 0)
    return sl_fail(err, SL_USAGE,
                   "this build of simtlab has no OpenCL: install the Debian packages opencl-c-headers, clang-19, "
                   "llvm-19 and libclc-19, and build it again; or install the package simtlab-opencl");
  setenv(variable, o->machine, 1);
  sl_words_add(&words, helper);
  sl_words_add(&words, client);
  sl_words_add(&words, file);
  sl_words_add(&words, code);
  add_options(&words, o);
  enum sl_status status = sl_tools_run(&tools, &words, SL_OUTPUT_LOGGED, err);
  if (log.text != NULL)
    fputs(log.text, status == SL_OK ? stdout : stderr);
  if (status == SL_OK)
    status = is_executable(code) ? print_functions(code, log.text, err) : print_entries(code, err);
  else if (tools.refused)
    status = sl_fail(err, SL_CHECK_FAILED, "%.300s is not compiled for %.100s", file, o->machine);
  sl_log_free(&log);
  sl_words_free(&words);
  return status;
}

static enum sl_status cl_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct cl_options o = {.machine = "opencl-sm7"};
  const struct sl_option options[] = {
      {'m', "machine", SL_OPTION_TEXT, "NAME|FILE", "preset (simtlab machines) or YAML file [opencl-sm7]", &o.machine},
      {'D', "", SL_OPTION_LIST, "NAME[=VALUE]", "define a macro", &o.defines},
      {'I', "", SL_OPTION_LIST, "FOLDER", "look for included files here", &o.includes},
      {'o', "output", SL_OPTION_OUTPUT, "FILE", "write the code: PTX, or an ELF file", &o.output},
      {0, "code", SL_OPTION_FLAG, NULL, "list the instructions", &o.code},
      {0},
  };
  char folder[SL_PATH], code[SL_PATH + 16];
  struct sl_operands operands;
  enum sl_status status = sl_options_parse(command, options, argc, argv, &operands, err);
  if (status != SL_OK || operands.help)
    return status;
  if (operands.count != 1)
    return sl_fail(err, SL_USAGE, "one file is needed: simtlab cl FILE.cl");
  status = sl_make_folder(folder, sizeof folder, err);
  if (status != SL_OK)
    return status;
  snprintf(code, sizeof code, "%s/code.ptx", folder);
  status = compile(&o, operands.items[0], code, err);
  if (status == SL_OK && is_executable(code)) {
    char renamed[sizeof code];
    snprintf(renamed, sizeof renamed, "%s/code.elf", folder);
    if (rename(code, renamed) == 0)
      snprintf(code, sizeof code, "%s", renamed);
  }
  if (status == SL_OK && o.code)
    status = list_code(code, err);
  if (status == SL_OK && o.output != NULL)
    status = copy(code, o.output, err);
  remove(code);
  remove(folder);
  return status;
}

const struct sl_command sl_cl_command = {
    .name = "cl",
    .operands = "[OPTION]... FILE.cl",
    .summary = "List the kernels of an OpenCL file, as a device compiles them",
    .details = "For each kernel: arguments, sizes, registers, reconvergence annotations.\n",
    .listing = true,
    .run = cl_command,
};
