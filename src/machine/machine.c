#include "machine/machine.h"

#include "machine/sm7/sm7_gpu.h"

const struct sl_machine *const sl_machines[] = {&sl_simtight, &sl_simty, &sl_vortex, &sl_cyclotron, &sl_sm7, NULL};

const char *sl_occupancy_limit_name(enum sl_occupancy_limit limit)
{
  switch (limit) {
  case SL_OCCUPANCY_WARPS: return "warps";
  case SL_OCCUPANCY_SHARED: return "shared memory";
  case SL_OCCUPANCY_REGISTERS: return "registers";
  case SL_OCCUPANCY_SLOTS: return "block slots";
  default: return "blocks of the grid";
  }
}

const struct sl_energy_event_words sl_energy_events[SL_ENERGY_EVENTS] = {
#define EVENT(id, name, coarse, meaning) {name, meaning, SL_ENERGY_##coarse},
#include "machine/energy_events.def"
#undef EVENT
};
