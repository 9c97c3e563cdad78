#include "machine/cyclotron/cyclotron.h"
#include "machine/machine.h"
#include "machine/simtight/simtight.h"
#include "machine/simty/simty.h"
#include "machine/sm7/sm7.h"
#include "machine/vortex/vortex.h"

const struct sl_machine *const sl_machines[] = {&sl_simtight, &sl_simty, &sl_vortex, &sl_cyclotron, &sl_sm7, NULL};
