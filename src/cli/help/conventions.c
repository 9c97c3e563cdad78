#include "cli/help/conventions.h"

const struct sl_option *sl_common_options(const struct sl_command *command)
{
  static const struct sl_option options[] = {
      {0, "color", SL_OPTION_TEXT, "auto|always|never", "colours of tables and progress [auto]", NULL},
      {'h', "help", SL_OPTION_FLAG, NULL, "this text", NULL},
      {0},
  };
  return command != NULL && command->no_tables ? options + 1 : options;
}

const struct sl_convention sl_exit_statuses[] = {
    {"0", "ok"},
    {"1", "the program's own check failed, or what is compared differs"},
    {"2", "usage or configuration"},
    {"3", "program fault"},
    {"4", "limit reached"},
    {"70", "internal error"},
    {0},
};

const struct sl_convention sl_environment[] = {
    {"SIMTLAB_HOME", "folder with the programs that commands look for, such as bench/VecAdd.elf; without it they are "
                     "beside the command or in ../share/simtlab"},
    {"SIMTLAB_MACHINES", "folders, with colons between them, in which a machine NAME is looked for as NAME.yaml"},
    {"COLUMNS", "columns of the output where it is no terminal [80]"},
    {"NO_COLOR", "if set, no colours"},
    {"SIMTLAB_COLOR", "auto, always or never, as --color"},
    {"TERM", "without it, or with dumb, no colours and no progress line"},
    {"TMPDIR", "where simtlab cc puts intermediate files [/tmp]"},
    {0},
};
