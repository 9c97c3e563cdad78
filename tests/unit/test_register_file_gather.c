/* Recompression: how a compressed register file stores values that functional execution has changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "registers.h"

enum { WARPS = 2, LANES = 8, ALL = WARPS * SL_REGISTERS, WARP = 1 };

static struct file *make(unsigned slots)
{
  const struct sl_register_file_spec spec = {
      .lanes = LANES, .warps = WARPS, .slots = slots, .affine = true, .once = true};
  struct file *f = file_create(&spec);
  sl_register_file_expand(&f->file, &f->threads, WARP, UINT32_MAX);
  sl_register_file_gather(&f->file, &f->threads, WARP, 0); /* the address register is no longer a vector */
  sl_register_file_settle(&f->file);
  return f;
}

/* Sets lane l's value to first + l * step, without timing. */
static void change(struct file *f, unsigned reg, uint32_t first, uint32_t step)
{
  f->threads.ops->fill(sl_path_warps_registers(&f->threads, WARP) + ((size_t)reg << f->threads.lane_bits), first, step,
                       LANES);
}

static void gather(struct file *f, unsigned kept)
{
  sl_register_file_gather(&f->file, &f->threads, WARP, kept);
  sl_register_file_settle(&f->file);
}

static void check_value(const struct file *f, unsigned reg, uint32_t first, uint32_t step)
{
  for (unsigned l = 0; l < LANES; l++)
    assert_int_equal(file_value(f, WARP, l, reg), first + l * step);
}

static void changed_values_are_stored_as_by_a_full_write(void **state)
{
  (void)state;
  struct file *f = make(ALL);
  const unsigned before = f->file.in_use;
  change(f, 5, 77, 0);
  change(f, 6, 0x100, 4);
  change(f, 7, 0x104, 4); /* its base is not a multiple of lanes * 4 */
  gather(f, 0);
  assert_true(file_compressed(f, WARP, 5));
  assert_true(file_compressed(f, WARP, 6));
  assert_false(file_compressed(f, WARP, 7));
  check_value(f, 5, 77, 0);
  check_value(f, 6, 0x100, 4);
  check_value(f, 7, 0x104, 4);
  assert_int_equal(f->file.in_use, before + 1);
  file_free(f);
}

static void a_vector_that_becomes_uniform_frees_its_slot(void **state)
{
  (void)state;
  struct file *f = make(ALL);
  change(f, 7, 1, 3);
  gather(f, 0);
  const unsigned before = f->file.in_use;
  change(f, 7, 9, 0);
  gather(f, 0);
  assert_true(file_compressed(f, WARP, 7));
  assert_int_equal(f->file.in_use, before - 1);
  file_free(f);
}

static void unchanged_zeros_stay_operands(void **state)
{
  (void)state;
  struct file *f = make(ALL);
  change(f, 6, 0, 0);
  change(f, 5, 1, 0);
  gather(f, 0);
  change(f, 5, 0, 0);
  gather(f, 0);
  const uint32_t scalars = sl_register_file_scalars(&f->file.warp[WARP]);
  assert_true(scalars & file_bit(6));  /* the 0 of the kernel's start */
  assert_false(scalars & file_bit(5)); /* one that was written */
  file_free(f);
}

static void a_new_vector_without_a_slot_is_spilled(void **state)
{
  (void)state;
  struct file *f = make(ALL - 1);
  const unsigned kept = f->file.free_count - 1; /* one may be taken */
  change(f, 7, 1, 3);
  change(f, 8, 2, 3);
  gather(f, kept);
  assert_true(f->file.warp[WARP].vector & file_bit(7));
  assert_true(f->file.warp[WARP].spilled & file_bit(8));
  assert_int_equal(f->file.free_count, kept);
  change(f, 8, 4, 0); /* and comes back as one value */
  gather(f, kept);
  assert_true(file_compressed(f, WARP, 8));
  check_value(f, 8, 4, 0);
  file_free(f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(changed_values_are_stored_as_by_a_full_write),
      cmocka_unit_test(a_vector_that_becomes_uniform_frees_its_slot),
      cmocka_unit_test(unchanged_zeros_stay_operands),
      cmocka_unit_test(a_new_vector_without_a_slot_is_spilled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
