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
    {"1", "the program's own check failed, or compared results differ"},
    {"2", "usage or configuration"},
    {"3", "program fault"},
    {"4", "limit reached"},
    {"70", "internal error"},
    {0},
};

const struct sl_convention sl_environment[] = {
    {"SIMTLAB_HOME", "folder with the programs that commands look for, such as bench/VecAdd.elf; the default is "
                     "beside the command or in ../share/simtlab"},
    {"SIMTLAB_MACHINES", "folders, separated by colons, in which a machine NAME is looked up as NAME.yaml"},
    {"COLUMNS", "width of the output in columns, if it is not a terminal [80]"},
    {"NO_COLOR", "if set, no colours"},
    {"SIMTLAB_COLOR", "auto, always or never, as --color"},
    {"TERM", "if unset or dumb, no colours and no progress line"},
    {"TMPDIR", "folder for simtlab cc's intermediate files [/tmp]"},
    {0},
};
