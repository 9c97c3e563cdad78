/*
 * The cycle loop of Vortex as one compilation unit, so that GCC inlines its stages into the loop. The function declared
 * here has no other caller; being static, it is inlined. Compiled apart, a cycle takes 2 % more host instructions.
 */
#include <stdint.h>

struct sl_vortex_memory;
struct sl_vortex_socket;
static void sl_vortex_memory_run(struct sl_vortex_memory *m, struct sl_vortex_socket *sockets, uint64_t end);

#include "machine/vortex/vortex_memory.c"
#include "machine/vortex/vortex_timed.c"
#include "mem/dram_controller.c"
#include "mem/memory_port.c"
