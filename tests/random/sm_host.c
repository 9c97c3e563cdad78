/* Host program of a batch: launches its kernels one after the other. */
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
    WRITE(0x826, 0x10000000);
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
