#include "compiler/cc/compile.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/isa64/compile_mir.h"

/* Every program contains code of the stock compilers, for which these registers are as in RISC-V. */
enum { OF_RISCV = 32 };

static enum sl_status read_name(const char *option, const char *word, const char *const *names, unsigned *value,
                                struct sl_error *err)
{
  for (*value = 0; word != NULL && names[*value] != NULL; ++*value)
    if (strcmp(names[*value], word) == 0)
      return SL_OK;
  return word == NULL ? SL_OK
                      : sl_fail(err, SL_USAGE, "%s %.40s is unknown: it is %s, %s%s%s or %s", option, word, names[0],
                                names[1], names[3] != NULL ? ", " : "", names[3] != NULL ? names[2] : "",
                                names[3] != NULL ? names[3] : names[2]);
}

static enum sl_status read_number(const char *option, const char *word, unsigned least, unsigned most, unsigned *value,
                                  struct sl_error *err)
{
  char *end;
  if (word == NULL)
    return SL_OK;
  const unsigned long number = strtoul(word, &end, 10);
  if (word[0] < '0' || word[0] > '9' || *end != '\0' || number < least || number > most)
    return sl_fail(err, SL_USAGE, "%s is %u to %u, not '%.40s'", option, least, most, word);
  *value = (unsigned)number;
  return SL_OK;
}

static bool read_register(const char **at, unsigned *reg)
{
  char *end;
  const unsigned long number = strtoul(*at, &end, 10);
  const bool is = **at >= '0' && **at <= '9' && number >= OF_RISCV && number < SL_REGISTERS;
  *at = end;
  *reg = (unsigned)number;
  return is;
}

static enum sl_status read_saved(bool *saved, const char *word, struct sl_error *err)
{
  if (word == NULL)
    return SL_OK;
  memset(saved + OF_RISCV, 0, SL_REGISTERS - OF_RISCV);
  if (strcmp(word, "none") == 0)
    return SL_OK;
  for (const char *at = word;; at++) {
    unsigned first, last;
    bool right = read_register(&at, &first);
    last = first;
    if (right && *at == '-') {
      at++;
      right = read_register(&at, &last) && first <= last;
    }
    if (!right || (*at != ',' && *at != '\0'))
      return sl_fail(err, SL_USAGE,
                     "--saved %.60s: write numbers of registers from %d to %d as in 40,48-95, or none; those below are "
                     "RISC-V's, as in the libraries",
                     word, OF_RISCV, SL_REGISTERS - 1);
    memset(saved + first, 1, last - first + 1);
    if (*at == '\0')
      return SL_OK;
  }
}

const char *sl_wide_words_given(const struct sl_wide_words *words)
{
  return words->allocation != NULL  ? "--allocation"
         : words->registers != NULL ? "--registers"
         : words->banks != NULL     ? "--banks"
         : words->map != NULL       ? "--bank-map"
         : words->saved != NULL     ? "--saved"
                                    : NULL;
}

static enum sl_status check_stock(const struct sl_wide_words *words, struct sl_error *err)
{
  struct sl_wide_words others = *words;
  others.allocation = NULL;
  const char *given = sl_wide_words_given(&others);
  return given == NULL ? SL_OK
                       : sl_fail(err, SL_USAGE,
                                 "%s: --allocation stock is code for RISC-V's 32 registers, whatever their banks; "
                                 "leave one of the two out",
                                 given);
}

enum sl_status sl_wide_options_read(struct sl_wide_options *options, const struct sl_wide_words *words,
                                    struct sl_error *err)
{
  static const char *const allocations[] = {
      [SL_UNAWARE] = "unaware", [SL_FIRST_FIT] = "first-fit", [SL_COST] = "cost", "stock", NULL};
  static const char *const maps[] = {
      [SL_BANK_MODULO] = "modulo", [SL_BANK_BLOCKS] = "blocks", [SL_BANK_FOLDED] = "folded", NULL};
  const struct sl_backend_options defaults = sl_backend_defaults();
  struct sl_registers convention;
  unsigned allocation = 0, map = 0;
  *options = (struct sl_wide_options){.registers = defaults.registers, .banks = defaults.banks};
  enum sl_status code = sl_registers_init(&convention, SL_REGISTERS, 1, NULL, NULL, err);
  memcpy(options->saved, convention.saved, sizeof options->saved);
  if (code == SL_OK)
    code = read_name("--allocation", words->allocation, allocations, &allocation, err);
  if (code == SL_OK)
    code = read_name("--bank-map", words->map, maps, &map, err);
  if (code == SL_OK)
    code = read_number("--registers", words->registers, SL_LEAST_REGISTERS, SL_REGISTERS, &options->registers, err);
  if (code == SL_OK)
    code = read_number("--banks", words->banks, 1, SL_MOST_BANKS, &options->banks, err);
  if (code == SL_OK)
    code = read_saved(options->saved, words->saved, err);
  options->stock = words->allocation != NULL && allocation == SL_ALLOCATIONS;
  options->allocation = words->allocation == NULL ? defaults.allocation : (enum sl_allocation)allocation;
  options->map = (enum sl_bank_map)map;
  return code == SL_OK && options->stock ? check_stock(words, err) : code;
}

/* ---- -march and -mabi -------------------------------------------------------------------------------------------- */

/* Checks that a machine has the instructions and registers that -march and -mabi name. */
struct march_target {
  bool vortex, fp, rv32e;
};

/* Returns the length of an extension's name: a letter, or several from z, s or x to the next underscore, without the
 * version. */
static size_t extension_length(const char *at)
{
  if (strchr("zsx", at[0]) == NULL)
    return 1;
  size_t length = strcspn(at, "_");
  const char *digits = at + length;
  while (digits > at && isdigit((unsigned char)digits[-1]))
    digits--;
  return (size_t)(digits - at);
}

static const char *skip_version(const char *at)
{
  while (isdigit((unsigned char)*at) || *at == '_' || (*at == 'p' && isdigit((unsigned char)at[1])))
    at++;
  return at;
}

static bool is_one_of(const char *name, size_t length, const char *const *list)
{
  for (; *list != NULL; list++)
    if (strlen(*list) == length && strncmp(*list, name, length) == 0)
      return true;
  return false;
}

static bool has(const struct march_target *target, const char *name, size_t length)
{
  static const char *const simt[] = {"m", "a", "zicsr", "zifencei", "zmmul", NULL};
  static const char *const vortex[] = {"m", "a", "f", "zicsr", "zifencei", "zmmul", "zicond", NULL};
  static const char *const of_fp[] = {"zfinx", NULL};
  return is_one_of(name, length, target->vortex ? vortex : simt) || (target->fp && is_one_of(name, length, of_fp));
}

static const char *remedy(const struct march_target *target, const char *name, size_t length)
{
  static const char *const floats[] = {"f", "zfinx", NULL};
  if (!target->vortex && is_one_of(name, length, floats))
    return "float instructions are there by --fp, with Zfinx";
  return "leave it out";
}

static const char *machines(const struct march_target *target)
{
  return target->vortex ? "Vortex" : "SIMTight and Simty";
}

/* `march`: the text after the equals sign, such as `rv32ima_zicsr`. */
static enum sl_status check_march(const struct march_target *target, const char *march, struct sl_error *err)
{
  if (strncmp(march, "rv32", 4) != 0)
    return sl_fail(err, SL_USAGE, "-march=%.80s: %s have 32 bits; write -march=rv32...", march, machines(target));
  const char *at = march + 4;
  if (*at != (target->rv32e ? 'e' : 'i'))
    return sl_fail(err, SL_USAGE, "-march=%.80s: %s", march,
                   target->rv32e ? "--rv32e is for 16 registers; write rv32e..."
                   : *at == 'e'  ? "code for 16 registers is compiled with --rv32e"
                   : *at == 'g'  ? "G stands for extensions that the machine has not; write rv32i and those it has"
                                 : "the name of an instruction set begins with rv32i");
  for (at = skip_version(at + 1); *at != '\0'; at = skip_version(at)) {
    const size_t length = extension_length(at);
    if (length == 0 || !has(target, at, length))
      return sl_fail(err, SL_USAGE, "-march=%.80s: %s cannot run '%.*s'; %s", march, machines(target),
                     (int)(length > 0 ? length : 1), at, remedy(target, at, length));
    at += length;
  }
  return SL_OK;
}

static enum sl_status check_mabi(const struct march_target *target, const char *abi, struct sl_error *err)
{
  const char *own = target->vortex ? "ilp32f" : target->rv32e ? "ilp32e" : "ilp32";
  return strcmp(abi, own) == 0
             ? SL_OK
             : sl_fail(err, SL_USAGE, "-mabi=%.80s: runtime and C library are compiled for %s; leave it out", abi, own);
}

bool sl_march_names_zicsr(const char *march)
{
  return strstr(march, "zicsr") != NULL;
}

/* ---- the order --------------------------------------------------------------------------------------------------- */

struct known {
  const char *name;
  enum sl_input_kind kind;
};

static const struct known suffixes[] = {
    {".c", SL_INPUT_C},        {".i", SL_INPUT_C},        {".cc", SL_INPUT_CXX},     {".cpp", SL_INPUT_CXX},
    {".cxx", SL_INPUT_CXX},    {".c++", SL_INPUT_CXX},    {".C", SL_INPUT_CXX},      {".ii", SL_INPUT_CXX},
    {".S", SL_INPUT_ASSEMBLY}, {".s", SL_INPUT_ASSEMBLY}, {".o", SL_INPUT_LINKED},   {".obj", SL_INPUT_LINKED},
    {".a", SL_INPUT_LINKED},   {".lo", SL_INPUT_LINKED},  {".lib", SL_INPUT_LINKED}, {NULL, SL_INPUT_UNKNOWN}};

static const struct known languages[] = {{"c", SL_INPUT_C},
                                         {"cpp-output", SL_INPUT_C},
                                         {"c++", SL_INPUT_CXX},
                                         {"c++-cpp-output", SL_INPUT_CXX},
                                         {"c-header", SL_INPUT_C},
                                         {"c++-header", SL_INPUT_CXX},
                                         {"assembler", SL_INPUT_ASSEMBLY},
                                         {"assembler-with-cpp", SL_INPUT_ASSEMBLY},
                                         {NULL, SL_INPUT_UNKNOWN}};

static enum sl_input_kind kind_of(const struct known *known, const char *name)
{
  while (known->name != NULL && strcmp(known->name, name) != 0)
    known++;
  return known->kind;
}

enum sl_input_kind sl_input_kind(const struct sl_input *input)
{
  if (input->of_linker)
    return SL_INPUT_LINKED;
  if (input->language != NULL)
    return kind_of(languages, input->language);
  const char *dot = strrchr(input->word, '.');
  return dot != NULL && strchr(dot, '/') == NULL && dot > input->word ? kind_of(suffixes, dot) : SL_INPUT_UNKNOWN;
}

bool sl_is_source_kind(enum sl_input_kind kind)
{
  return kind == SL_INPUT_C || kind == SL_INPUT_CXX || kind == SL_INPUT_ASSEMBLY;
}

const char *sl_last_flag(const struct sl_compile_order *order, const char *prefix)
{
  const char *last = NULL;
  for (const char *const *flag = order->flags; flag != NULL && *flag != NULL; flag++)
    if (strncmp(*flag, prefix, strlen(prefix)) == 0)
      last = *flag;
  return last;
}

bool sl_has_flag(const struct sl_compile_order *order, const char *flag)
{
  for (const char *const *own = order->flags; own != NULL && *own != NULL; own++)
    if (strcmp(*own, flag) == 0)
      return true;
  return false;
}

static enum sl_status check_target(const struct sl_compile_order *cc, struct sl_error *err)
{
  if (cc->vortex && (cc->rv32e || cc->no_marks))
    return sl_fail(err, SL_USAGE, "%s is not for --target vortex: leave it out", cc->rv32e ? "--rv32e" : "--no-marks");
  if (cc->grid && (cc->rv32e || cc->no_marks || cc->auto_marks))
    return sl_fail(err, SL_USAGE, "%s is not for --target sm7, whose programs have no marks: leave it out",
                   cc->rv32e      ? "--rv32e"
                   : cc->no_marks ? "--no-marks"
                                  : "--marks=auto");
  if (!cc->vortex && (cc->cfm || cc->dmsl))
    return sl_fail(err, SL_USAGE, "%s is an extension of Vortex machines: add --target vortex",
                   cc->cfm ? "--cfm" : "--dmsl");
  if (cc->wide && (cc->cfm || cc->dmsl))
    return sl_fail(err, SL_USAGE, "%s is an extension of --target vortex: vortex64 has none",
                   cc->cfm ? "--cfm" : "--dmsl");
  if (cc->wide && cc->relocatable)
    return sl_fail(err, SL_USAGE, "-r: objects of vortex64 are those of RV32 until they are linked: leave it out");
  if (cc->auto_marks && (cc->no_marks || cc->cfm || cc->dmsl))
    return sl_fail(err, SL_USAGE, "%s",
                   cc->no_marks ? "--no-marks and --marks=auto exclude each other: leave one out"
                                : "--cfm and --dmsl are for marks by hand: leave --marks=auto out");
  if (cc->warn_waits && !cc->auto_marks)
    return sl_fail(err, SL_USAGE, "--warn-waits needs --marks=auto, whose tool finds the loops");
  if (cc->clang && cc->dmsl)
    return sl_fail(err, SL_USAGE, "--dmsl takes registers away that clang-19 cannot do without: leave --clang out");
  return SL_OK;
}

/* Rejects flags that would produce a program that the machines cannot run. */
static enum sl_status check_flags(const struct sl_compile_order *cc, struct sl_error *err)
{
  const struct march_target target = {cc->vortex, cc->fp, cc->rv32e};
  const char *march = sl_last_flag(cc, "-march="), *abi = sl_last_flag(cc, "-mabi="), *lto = sl_last_flag(cc, "-flto");
  if (lto != NULL)
    return sl_fail(
        err, SL_USAGE,
        "%.80s: kernels are entered by names in assembly, which optimisation at link time does not see; leave "
        "it out",
        lto);
  enum sl_status code = march != NULL ? check_march(&target, march + strlen("-march="), err) : SL_OK;
  if (code == SL_OK && abi != NULL)
    code = check_mabi(&target, abi + strlen("-mabi="), err);
  return code;
}

static enum sl_status check_input(const struct sl_compile_order *cc, const struct sl_input *input, struct sl_error *err)
{
  const bool standard = strcmp(input->word, "-") == 0;
  if (input->of_linker)
    return SL_OK;
  if (standard && input->language == NULL && cc->goal != SL_GOAL_PREPROCESSED)
    return sl_fail(err, SL_USAGE, "-: which language is the standard input in? Add -x c or another in front of it");
  if (!standard && sl_input_kind(input) == SL_INPUT_UNKNOWN)
    return sl_fail(
        err, SL_USAGE,
        "%.200s: neither C (.c), C++ (.cc, .cpp, .cxx), assembly (.S, .s) nor object (.o, .a); -x LANGUAGE in "
        "front of it says what it is",
        input->word);
  if (!standard && access(input->word, R_OK) != 0)
    return sl_fail(err, SL_USAGE, "%.200s: no such file, or not readable", input->word);
  return SL_OK;
}

enum sl_status sl_compile_target_check(const struct sl_compile_order *cc, struct sl_error *err)
{
  const enum sl_status code = check_target(cc, err);
  return code == SL_OK ? check_flags(cc, err) : code;
}

enum sl_status sl_compile_order_check(const struct sl_compile_order *cc, struct sl_error *err)
{
  size_t files = 0, sources = 0;
  enum sl_status code = sl_compile_target_check(cc, err);
  for (size_t i = 0; i < cc->input_count && code == SL_OK; i++) {
    files += !cc->inputs[i].of_linker;
    sources += sl_is_source_kind(sl_input_kind(&cc->inputs[i]));
  }
  if (code == SL_OK && files == 0)
    code = sl_fail(err, SL_USAGE, "no file to compile: simtlab cc -o PROGRAM.elf FILE.c");
  if (code == SL_OK && cc->goal == SL_GOAL_PROGRAM && (cc->output == NULL || cc->output[0] == '\0'))
    code = sl_fail(err, SL_USAGE, "no output file: add -o PROGRAM.elf");
  if (code == SL_OK && cc->goal != SL_GOAL_PROGRAM && cc->output != NULL && sources > 1)
    code = sl_fail(err, SL_USAGE, "-o %.200s is one file, and %zu are compiled: leave it out, or link them too",
                   cc->output, sources);
  for (size_t i = 0; i < cc->input_count && code == SL_OK; i++)
    code = check_input(cc, &cc->inputs[i], err);
  if (code == SL_OK && access(SL_PICOLIBC "/include/stdio.h", R_OK) != 0)
    code = sl_fail(err, SL_USAGE,
                   "the C library for RISC-V is not installed; install the Debian package "
                   "picolibc-riscv64-unknown-elf");
  return code;
}
