/* Programs: ELF files that the reader accepts, error messages for those that it refuses, symbols, and damaged files,
 * which never crash it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "image.h"
#include "program/program.h"

static void refuse(const struct image *image, size_t size, const char *sentence)
{
  struct sl_program *program = NULL;
  struct sl_error err = {0};
  assert_int_equal(sl_program_parse("x.elf", image, size, &program, &err), SL_USAGE);
  assert_null(program);
  if (strncmp(err.text, "x.elf: ", 7) != 0 || strstr(err.text, sentence) == NULL)
    fail_msg("'%s' does not say '%s'", err.text, sentence);
}

static void reads_segments(void **state)
{
  (void)state;
  struct image image = make_image();
  struct sl_program *program;
  assert_int_equal(sl_program_parse("x.elf", &image, sizeof image, &program, NULL), SL_OK);
  assert_string_equal(sl_program_name(program), "x.elf");
  assert_int_equal(sl_program_entry(program), CODE);
  assert_int_equal(sl_program_segment_count(program), 2);
  const struct sl_segment *code = sl_program_segment(program, 0), *data = sl_program_segment(program, 1);
  assert_int_equal(code->address, CODE);
  assert_int_equal(code->size, CODE_SIZE);
  assert_true(code->executable);
  assert_int_equal(data->address, DATA);
  assert_int_equal(data->file_size, DATA_SIZE);
  assert_int_equal(data->size, DATA_SIZE + BSS_SIZE);
  assert_false(data->executable);
  assert_memory_equal(data->bytes, image.data, DATA_SIZE);
  assert_int_equal(sl_program_end(program), DATA + DATA_SIZE + BSS_SIZE);
  sl_program_free(program);
}

static void hashes_the_file(void **state)
{
  (void)state;
  struct image image = make_image();
  struct sl_program *a, *b;
  assert_int_equal(sl_program_parse("a", &image, sizeof image, &a, NULL), SL_OK);
  image.data[3] ^= 1;
  assert_int_equal(sl_program_parse("a", &image, sizeof image, &b, NULL), SL_OK);
  assert_true(sl_program_hash(a) != sl_program_hash(b));
  sl_program_free(a);
  sl_program_free(b);
}

static void expect_place(const struct sl_program *program, uint32_t address, const char *place)
{
  char text[64];
  sl_location_format(program, address, text, sizeof text);
  assert_string_equal(text, place);
}

static void finds_symbols(void **state)
{
  (void)state;
  struct image image = make_image();
  struct sl_program *program;
  uint32_t address = 0;
  assert_int_equal(sl_program_parse("x.elf", &image, sizeof image, &program, NULL), SL_OK);
  assert_true(sl_program_symbol(program, "table", &address));
  assert_int_equal(address, DATA);
  assert_true(sl_program_symbol(program, "kernel", &address));
  assert_int_equal(address, CODE + 16);
  assert_false(sl_program_symbol(program, "nothing", &address));
  expect_place(program, CODE, "_start");
  expect_place(program, CODE + 12, "_start+0xc");
  expect_place(program, CODE + 16, "kernel");
  expect_place(program, CODE + 28, "kernel+0xc"); /* past the label inside the function */
  expect_place(program, CODE + 40, "no known function");
  expect_place(program, CODE + 52, "tail+0x4");
  expect_place(program, CODE + CODE_SIZE, "no known function");
  expect_place(program, DATA, "no known function");
  sl_program_free(program);
}

static void accepts_files_without_symbols(void **state)
{
  (void)state;
  struct image image = make_image();
  struct sl_program *program;
  uint32_t address;
  image.header.e_shoff = image.header.e_shnum = image.header.e_shstrndx = 0;
  assert_int_equal(sl_program_parse("x.elf", &image, sizeof image, &program, NULL), SL_OK);
  assert_false(sl_program_symbol(program, "kernel", &address));
  expect_place(program, CODE, "no known function");
  sl_program_free(program);
}

static void refuses_other_files(void **state)
{
  (void)state;
  struct image image = make_image();
  image.header.e_ident[EI_MAG1] = 'F';
  refuse(&image, sizeof image, "not an ELF file");
  image = make_image();
  image.header.e_ident[EI_CLASS] = ELFCLASS64;
  refuse(&image, sizeof image, "not a 32-bit ELF file");
  image = make_image();
  image.header.e_ident[EI_DATA] = ELFDATA2MSB;
  refuse(&image, sizeof image, "not a little-endian ELF file");
  image = make_image();
  image.header.e_machine = EM_386;
  refuse(&image, sizeof image, "not for RISC-V");
  image = make_image();
  image.header.e_type = ET_REL;
  refuse(&image, sizeof image, "relocatable object");
  image.header.e_type = ET_DYN;
  refuse(&image, sizeof image, "position-independent");
  image.header.e_type = ET_CORE;
  refuse(&image, sizeof image, "not an executable");
  image = make_image();
  image.segments[0].p_type = PT_INTERP;
  refuse(&image, sizeof image, "dynamic linker");
  image = make_image();
  image.header.e_flags = 1;
  refuse(&image, sizeof image, "compressed instructions");
}

static void refuses_bad_segments(void **state)
{
  (void)state;
  struct image image = make_image();
  image.segments[0].p_vaddr = CODE + CODE_SIZE - 1;
  refuse(&image, sizeof image, "overlap");
  image = make_image();
  image.segments[0].p_vaddr = 0xfffffff0;
  refuse(&image, sizeof image, "beyond the end of the address space");
  image = make_image();
  image.segments[0].p_memsz = 0xffffffff;
  refuse(&image, sizeof image, "beyond the end of the address space");
  image = make_image();
  image.segments[0].p_memsz = 4;
  refuse(&image, sizeof image, "more bytes in the file");
  image = make_image();
  image.segments[0].p_offset = sizeof image;
  refuse(&image, sizeof image, "beyond the end of the file");
  image.segments[0].p_offset = 0xffffffff;
  refuse(&image, sizeof image, "beyond the end of the file");
  image = make_image();
  image.segments[0].p_type = image.segments[1].p_type = PT_NOTE;
  refuse(&image, sizeof image, "no loadable segment");
}

static void refuses_bad_entries(void **state)
{
  (void)state;
  struct image image = make_image();
  image.header.e_entry = DATA;
  refuse(&image, sizeof image, "outside the program's code");
  image.header.e_entry = CODE + 2;
  refuse(&image, sizeof image, "not a multiple of 4");
}

/* A file truncated within a loaded segment is refused; truncated later it only loses its symbols. */
/* RV32 files are RV32 with any floating-point flags. */
static void distinguishes_64_bit_words_from_rv32(void **state)
{
  (void)state;
  struct image image = make_image();
  struct sl_program *program;
  image.header.e_flags = EF_RISCV_FLOAT_ABI_SINGLE;
  for (unsigned i = 0; i < 12; i++)
    image.code[CODE_SIZE - 12 + i] = (uint8_t)(i + 1);
  assert_int_equal(sl_program_parse("x.elf", &image, sizeof image, &program, NULL), SL_OK);
  assert_int_equal(sl_program_isa(program), SL_ISA_RV32);
  assert_int_equal(sl_program_registers(program), 32);
  assert_int_equal(sl_program_banks(program), 1);
  assert_int_equal(sl_program_instruction(program, CODE + CODE_SIZE - 8), 0x08070605);
  sl_program_free(program);
  image.header.e_machine = SL_WIDE_FILE_MACHINE;
  image.header.e_flags = sl_wide_file_flags(128, 4);
  assert_int_equal(sl_program_parse("x.elf", &image, sizeof image, &program, NULL), SL_OK);
  assert_int_equal(sl_program_isa(program), SL_ISA_WIDE64);
  assert_int_equal(sl_program_registers(program), 128);
  assert_int_equal(sl_program_banks(program), 4);
  assert_true(sl_program_instruction(program, CODE + CODE_SIZE - 8) == UINT64_C(0x0c0b0a0908070605));
  assert_true(sl_program_instruction(program, CODE + CODE_SIZE - 4) == 0x0c0b0a09);
  assert_true(sl_program_instruction(program, CODE + CODE_SIZE) == 0);
  sl_program_free(program);
}

static void refuses_unknown_64_bit_words(void **state)
{
  (void)state;
  struct image image = make_image();
  image.header.e_machine = SL_WIDE_FILE_MACHINE;
  image.header.e_flags = sl_wide_file_flags(256, 4);
  image.header.e_entry = CODE + 4;
  refuse(&image, sizeof image, "the entry point 0x08000404 is not a multiple of 8");
  image.header.e_flags = sl_wide_file_flags(257, 4);
  refuse(&image, sizeof image, "257 registers in 4 banks");
  image.header.e_flags = sl_wide_file_flags(64, 0);
  refuse(&image, sizeof image, "64 registers in 0 banks");
  image.header.e_flags = sl_wide_file_flags(64, 4) + (1 << 24);
  refuse(&image, sizeof image, "of version 2, but this simtlab reads version 1");
}

static void survives_truncation(void **state)
{
  (void)state;
  const struct image image = make_image();
  for (size_t size = 0; size < sizeof image; size++) {
    struct sl_program *program = NULL;
    struct sl_error err = {0};
    enum sl_status code = sl_program_parse("x.elf", &image, size, &program, &err);
    if (size < offsetof(struct image, symbols))
      assert_int_equal(code, SL_USAGE);
    assert_true(code == SL_OK || err.text[0] != '\0');
    sl_program_free(program);
  }
}

static void use(const struct sl_program *program)
{
  char text[64];
  uint32_t address;
  for (uint32_t offset = 0; offset < CODE_SIZE + 8; offset += 4)
    sl_location_format(program, CODE + offset, text, sizeof text);
  sl_program_symbol(program, "kernel", &address);
}

static void survives_changed_bytes(void **state)
{
  (void)state;
  static const uint8_t changes[] = {0x01, 0x02, 0x80, 0x7f, 0xff};
  const struct image image = make_image();
  for (size_t i = 0; i < sizeof image; i++)
    for (size_t k = 0; k < sizeof changes; k++) {
      struct image changed = image;
      struct sl_program *program = NULL;
      struct sl_error err = {0};
      ((uint8_t *)&changed)[i] ^= changes[k];
      if (sl_program_parse("x.elf", &changed, sizeof changed, &program, &err) == SL_OK)
        use(program);
      else
        assert_true(err.text[0] != '\0');
      sl_program_free(program);
    }
}

static void describes_files(void **state)
{
  (void)state;
  struct sl_program *program;
  struct sl_error err = {0};
  assert_int_equal(sl_program_load("/nonexistent/x.elf", &program, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "/nonexistent/x.elf: cannot be opened (No such file or directory)"));
  assert_int_equal(sl_program_load("/tmp", &program, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "/tmp: cannot be read (Is a directory)"));
  assert_int_equal(sl_program_load("/dev/null", &program, &err), SL_USAGE);
  assert_non_null(strstr(err.text, "/dev/null: not an ELF file"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_segments),
      cmocka_unit_test(hashes_the_file),
      cmocka_unit_test(finds_symbols),
      cmocka_unit_test(accepts_files_without_symbols),
      cmocka_unit_test(refuses_other_files),
      cmocka_unit_test(refuses_bad_segments),
      cmocka_unit_test(refuses_bad_entries),
      cmocka_unit_test(survives_truncation),
      cmocka_unit_test(survives_changed_bytes),
      cmocka_unit_test(describes_files),
      cmocka_unit_test(distinguishes_64_bit_words_from_rv32),
      cmocka_unit_test(refuses_unknown_64_bit_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
