#include "machine/machine.h"
#include "machine/simtight.h"

const struct sl_machine *const sl_machines[] = {&sl_simtight, NULL};
