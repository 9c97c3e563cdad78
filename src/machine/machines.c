#include "machine/machine.h"
#include "machine/simtight.h"
#include "machine/simty.h"
#include "machine/vortex.h"

const struct sl_machine *const sl_machines[] = {&sl_simtight, &sl_simty, &sl_vortex, NULL};
