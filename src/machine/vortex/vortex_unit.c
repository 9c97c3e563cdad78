/* The cycle loop of Vortex as one compilation unit, so that GCC inlines its stages into the loop. The function declared
 * here has no other caller; GCC inlines it, and into it the memory port and the DRAM controller. Compiled separately, a
 * cycle takes 2 % more host instructions. */
#include <stdint.h>

struct sl_vortex_memory;
struct sl_vortex_socket;
__attribute__((flatten)) static void sl_vortex_memory_run(struct sl_vortex_memory *m, struct sl_vortex_socket *sockets,
                                                          uint64_t end);

#include "machine/vortex/vortex_memory.c"
#include "machine/vortex/vortex_timed.c"
#include "timing/memory/dram_controller.c"
#include "timing/memory/memory_port.c"
