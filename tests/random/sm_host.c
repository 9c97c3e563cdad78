/* Host program of a batch: launches its kernels one after the other; with GRID defined, for a machine with a block
 * scheduler. */
typedef unsigned int u32;

#define READ(csr)                                                                                                      \
  ({                                                                                                                   \
    u32 value_;                                                                                                        \
    __asm__ volatile("csrrw %0, " #csr ", zero" : "=r"(value_));                                                       \
    value_;                                                                                                            \
  })
#define WRITE(csr, value) __asm__ volatile("csrw " #csr ", %0" : : "r"(value))

struct kernel {
  u32 entry, lanes, stride_bits, warps_per_block;
};

extern const u32 kernel_count;
extern const struct kernel kernels[];

#ifdef GRID
/* Grid and block, size of the launch block and of shared memory for every lane's words, and the size that was missing.
 */
static volatile u32 launch[] = {1, 1, 1, 32, 1, 1, 36, 65536, 0};
#endif

static void wait_for_room(void)
{
  while (!READ(0x820))
    ;
}

__attribute__((section(".text.start"))) void _start(void)
{
  for (u32 i = 0; i < kernel_count; i++) {
    wait_for_room();
    WRITE(0x827, kernels[i].warps_per_block);
    wait_for_room();
#ifdef GRID
    const u32 warps = kernels[i].warps_per_block, block = (warps ? warps : 64) * 32;
    launch[0] = (kernels[i].lanes + block - 1) / block;
    launch[3] = block;
    WRITE(0x826, launch);
#else
    WRITE(0x826, 0x10000000);
#endif
    wait_for_room();
    WRITE(0x823, kernels[i].entry);
    while (!READ(0x824))
      ;
    (void)READ(0x825);
  }
  WRITE(0x803, 0);
  for (;;)
    ;
}
