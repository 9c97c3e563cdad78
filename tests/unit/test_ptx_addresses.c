/* Addresses as initial values of variables, handles of textures in registers, long names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "ptx/ptx.h"
#include "ptx_kernel.h"

enum { LANES = 32 };

/* A list whose nodes point to each other, strings, and a table of constant memory by generic address. */
static void variables_begin_with_addresses(void **state)
{
  uint64_t out[8 * LANES];
  (void)state;
  ptx_kernel_run(&(struct ptx_kernel){
      .text = PTX_HEAD
      ".global .align 4 .u32 a[4] = {10, 11, 12, 13};\n.const .align 4 .u32 c[2] = {20, 21};\n"
      ".global .u64 plain = a;\n.global .u64 third = a+8;\n"
      ".visible .global .align 8 .u64 pair[4] = {generic(c), generic(c)+4, generic(a+4), 77};\n"
      ".global .u64 self = self;\n.global .align 8 .b8 parts[8] = {0xFF(third), 0xFF00(third), "
      "0xFF0000(third), 0xFF000000(third), 0xFF00000000(third), 0, 0, 0};\n" PTX_ENTRY(
          64) "ld.global.u64 %d1, [plain];\nld.global.u32 %r1, [%d1];\nst.global.u32 [%o], %r1;\n"
              "ld.global.u64 %d1, [third];\nld.u32 %r1, [%d1];\nst.global.u32 [%o+8], %r1;\n"
              "ld.global.u64 %d1, [pair];\nld.u32 %r1, [%d1];\nst.global.u32 [%o+16], %r1;\n"
              "ld.global.u64 %d1, [pair+8];\nld.u32 %r1, [%d1];\nst.global.u32 [%o+24], %r1;\n"
              "ld.global.u64 %d1, [pair+16];\nld.u32 %r1, [%d1];\nst.global.u32 [%o+32], %r1;\n"
              "ld.global.u64 %d1, [pair+24];\nst.global.u64 [%o+40], %d1;\n"
              "ld.global.u64 %d1, [self];\nmov.u64 %d2, self;\nsub.u64 %d1, %d1, %d2;\nst.global.u64 [%o+48], %d1;\n"
              "ld.global.u64 %d1, [parts];\nmov.u64 %d2, third;\nsub.u64 %d1, %d1, %d2;\nst.global.u64 [%o+56], %d1;\n"
              "ret;\n}\n",
      .out = out,
      .out_bytes = sizeof out});
  static const uint64_t wanted[] = {10, 12, 20, 21, 11, 77, 0, 0};
  for (unsigned i = 0; i < 8; i++)
    assert_int_equal(out[i], wanted[i]);
}

/* By name, by the value in the variable, by mov, and by mov in memory. */
static void a_texture_is_fetched_by_its_handle(void **state)
{
  static const char text[] = PTX_HEAD ".global .texref image;\n.global .u64 place;\n" PTX_ENTRY(
      16) "tex.1d.v4.u32.s32 {%r1, _, _, _}, [image, {%t}];\nst.global.u32 [%o], %r1;\n"
          "ld.global.u64 %d1, [image];\ntex.1d.v4.u32.s32 {%r1, _, _, _}, [%d1, {%t}];\nst.global.u32 [%o+4], %r1;\n"
          "mov.u64 %d2, image;\ntex.1d.v4.u32.s32 {%r1, _, _, _}, [%d2, {%t}];\nst.global.u32 [%o+8], %r1;\n"
          "st.global.u64 [place], %d2;\nld.global.u64 %d3, [place];\n"
          "tex.1d.v4.u32.s32 {%r1, _, _, _}, [%d3, {%t}];\nst.global.u32 [%o+12], %r1;\nret;\n}\n";
  (void)state;
  for (unsigned way = 0; way <= 2; way++) {
    uint32_t texels[LANES], out[4 * LANES];
    uint64_t buffer[3];
    struct sl_error err = {0};
    struct sl_config config;
    struct sl_gpu *gpu = NULL;
    struct sl_gpu_module *module;
    for (unsigned i = 0; i < LANES; i++)
      texels[i] = 1000 + 3 * i;
    assert_int_equal(sl_config_open(&config, "sm7-4", &err), SL_OK);
    assert_int_equal(sl_gpu_open(&gpu, &config, &(struct sl_gpu_options){.fast = way == 0, .threads = way}, &err),
                     SL_OK);
    if (sl_gpu_load_bytes(gpu, "texture.ptx", text, sizeof text - 1, &module, &err) != SL_OK)
      fail_msg("%s", err.text);
    for (unsigned i = 0; i < 3; i++)
      assert_int_equal(sl_gpu_alloc(gpu, sizeof out, &buffer[i], &err), SL_OK);
    assert_int_equal(sl_gpu_write(gpu, SL_GPU_GLOBAL, buffer[2], texels, sizeof texels, &err), SL_OK);
    /* The second binding replaces the first. */
    for (unsigned width = 1; width <= LANES; width += LANES - 1) {
      const struct sl_ptx_texture t = {
          .address = buffer[2], .width = width, .height = 1, .type = SL_PTX_U32, .channels = 1};
      assert_int_equal(sl_gpu_bind_texture(gpu, module, "image", &t, &err), SL_OK);
    }
    const struct sl_gpu_launch launch = {.module = module,
                                         .kernel = "k",
                                         .grid = {1, 1, 1},
                                         .block = {LANES, 1, 1},
                                         .arguments = buffer,
                                         .argument_bytes = 16};
    if (sl_gpu_run(gpu, &launch, &err) != SL_OK)
      fail_msg("%s", err.text);
    assert_int_equal(sl_gpu_read(gpu, SL_GPU_GLOBAL, buffer[1], out, sizeof out, &err), SL_OK);
    for (unsigned i = 0; i < 4 * LANES; i++)
      assert_int_equal(out[i], 1000 + 3 * (i / 4));
    sl_gpu_close(gpu);
    sl_config_close(&config);
  }
}

/* Names of templates: two kernels, two functions and two variables that differ in the last character only. */
static void long_names_are_kept_whole(void **state)
{
  enum { LONG = 3000 };
  static char text[16 * LONG], name[LONG + 1];
  struct sl_error err = {0};
  struct sl_ptx_module *m;
  (void)state;
  memset(name, 'n', LONG);
  const int n = snprintf(text, sizeof text,
                         PTX_HEAD ".global .u32 %s1;\n.global .u32 %s2;\n.func f%s1() { ret; }\n.func f%s2() { ret; }\n"
                                  ".visible .entry k%s1() { call f%s1; ret; }\n.visible .entry k%s2() { .reg .b32 %%r; "
                                  "call f%s2; ld.global.u32 %%r, [%s2]; ret; }\n",
                         name, name, name, name, name, name, name, name, name);
  assert_true(n > 0 && (size_t)n < sizeof text);
  if (sl_ptx_parse(&m, text, (size_t)n, "long.ptx", NULL, &err) != SL_OK)
    fail_msg("%s", err.text);
  for (unsigned i = 0; i < 2; i++) {
    char wanted[LONG + 3];
    snprintf(wanted, sizeof wanted, "k%s%u", name, i + 1);
    assert_non_null(sl_ptx_entry(m, wanted));
    assert_string_equal(m->variables[i].name, wanted + 1);
  }
  assert_ptr_not_equal(sl_ptx_entry(m, m->functions[2].name), sl_ptx_entry(m, m->functions[3].name));
  sl_ptx_free(m);
}

/* The texts of two modules: an .extern variable, and the first of two .weak ones. */
static void modules_that_follow_each_other_share_variables(void **state)
{
  uint32_t out[2 * LANES];
  (void)state;
  ptx_kernel_run(&(struct ptx_kernel){
      .text = PTX_HEAD ".extern .global .align 4 .b8 far[];\n.weak .global .u32 both = 7;\n" PTX_ENTRY(
          8) "ld.global.u32 %r1, [far+4];\nld.global.u32 %r2, [both];\nst.global.v2.u32 [%o], {%r1, "
             "%r2};\nret;\n}\n" PTX_HEAD
             ".weak .global .u32 both = 8;\n.visible .global .align 4 .u32 far[2] = {1, 2};\n",
      .out = out,
      .out_bytes = sizeof out});
  assert_int_equal(out[0], 2);
  assert_int_equal(out[1], 7);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(variables_begin_with_addresses), cmocka_unit_test(a_texture_is_fetched_by_its_handle),
      cmocka_unit_test(long_names_are_kept_whole), cmocka_unit_test(modules_that_follow_each_other_share_variables)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
