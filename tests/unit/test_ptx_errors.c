/* Malformed PTX and launch scripts: one error each, at the place that is marked with ` in the text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "device/script.h"
#include "ptx/ptx.h"
#include "ptx_malformed.h"

/* Removes the mark from the text and returns its place. */
static size_t without_mark(const char *text, char *to, size_t room, char *place, size_t place_room)
{
  const char *mark = strchr(text, '`');
  assert_non_null(mark);
  unsigned line = 1, column = 1;
  for (const char *c = text; c < mark; c++) {
    column = *c == '\n' ? 1 : column + 1;
    line += *c == '\n';
  }
  snprintf(place, place_room, ":%u:%u: ", line, column);
  const int length = snprintf(to, room, "%.*s%s", (int)(mark - text), text, mark + 1);
  assert_true(length >= 0 && (size_t)length < room);
  return (size_t)length;
}

static void says(const struct sl_error *err, const char *name, const char *place, const struct wrong *w)
{
  char start[64];
  snprintf(start, sizeof start, "%s%s", name, place);
  if (strncmp(err->text, start, strlen(start)) != 0 || strstr(err->text, w->sentence) == NULL)
    fail_msg("%s\nsays: %s\nnot: %s...%s", w->text, err->text, start, w->sentence);
}

static void check_module(const char *head, const char *tail, const struct wrong *w)
{
  char marked[2048], text[2048], place[32];
  struct sl_error err = {0};
  struct sl_ptx_module *m;
  snprintf(marked, sizeof marked, "%s%s%s", head, w->text, tail);
  const size_t length = without_mark(marked, text, sizeof text, place, sizeof place);
  if (sl_ptx_parse(&m, text, length, "x.ptx", NULL, &err) != SL_USAGE)
    fail_msg("%s\nis taken, or has another status", w->text);
  assert_null(m);
  says(&err, "x.ptx", place, w);
}

static const struct wrong bodies[] = {
    {"add.s32 `%r9, %r1, %r2;", "is not declared"},
    {"add.s32 `%q, %r1, %r2;", "is not declared"},
    {"add.s32 %r1, `%l1, %r2;", "register %l1 is .b64 where .s32 is expected"},
    {"add.s32 `%f1, %r1, %r2;", "register %f1 is .f32 where .s32 is expected"},
    {"add.f32 %f1, %f1, `%d1;", "register %d1 is .f64 where .f32 is expected"},
    {"add.f32 %f1, %f1, `%s1;", "register %s1 is .s32 where .f32 is expected"},
    {"add.s64 %l1, %l1, `%p1;", "register %p1 is .pred where .s64 is expected"},
    {"`add.s32 %r1, %r2;", "takes 3 operands here, not 2"},
    {"`add.s32 %r1, %r2, %r3, %r3;", "takes 3 operands here, not 4"},
    {"`add.s8 %r1, %r2, %r3;", "simtlab does not support 'add.s8'"},
    {"`add %r1, %r2, %r3;", "simtlab does not support 'add'"},
    {"`add.b32 %r1, %r2, %r3;", "simtlab does not support 'add.b32'"},
    {"`add.rn.s32 %r1, %r2, %r3;", "simtlab does not support 'add.rn.s32'"},
    {"`mul.s32 %r1, %r2, %r3;", "simtlab does not support 'mul.s32'"},
    {"`mad.hi.cc.s32 %r1, %r2, %r3, %r1;", "simtlab does not support 'mad.hi.cc.s32'"},
    {"`frobnicate.s32 %r1;", "does not support the instruction 'frobnicate'"},
    {"`wmma.load.a.sync %r1;", "does not support 'wmma.load.a.sync'"},
    {"mma`.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};", "with the modifier .sp"},
    {"`mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};", "does not support 'mma.sync"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 `{%f1}, {%r1}, {%r1}, {%f1};", "has 4 registers, not 1"},
    {"add.s32 %r1, %r2, `[%r3];", "an address in brackets is not allowed as an operand here"},
    {"add.s32 %r1, %r2, `{%r3, %r3};", "a vector is not allowed as an operand here"},
    {"add.s32 `5, %r2, %r3;", "the result needs a declared register"},
    {"add.s32 %r1, %r2, `0f3F800000;", "a floating-point number is given where .s32 is expected"},
    {"add.f32 %f1, %f1, `1;", "an integer is given where .f32 is expected"},
    {"add.s32 %r1, %r2, `0f3F8;", "'0f3F8' is not a number"},
    {"add.s32 %r1, %r2, `12abc;", "'12abc' is not a number"},
    {"add.s32 %r1, %r2, `;", "an operand is expected here, not ';'"},
    {"add.s32 %r1, %r2, -`%r3;", "'-' can only precede a number"},
    {"add.s32 %r1, %r2, %r3 `add.s32 %r1, %r2, %r3;", "';' is expected here, not 'add'"},
    {"add.s32 %r1, %r2, `!%r3;", "'!' is not allowed in this operand"},
    {"add.s32 %r1, %r2, `nowhere;", "'nowhere' is not declared"},
    {"mov.u32 %r1, %tid`;", "%tid has the parts .x, .y and .z"},
    {"mov.u64 %l1, `%laneid;", "%laneid has 32 bits where .u64 is expected"},
    {"mov.u32 %r1, `%clock64;", "%clock64 needs a mov of its own size"},
    {"add.u32 %r1, %r1, `%clock;", "%clock can only be read by mov"},
    {"mov.b64 %l1, `{%r1, %r2, %r3};", "a vector of 3 elements does not have the size of .b64"},
    {"mov.u16 %h1, `tile;", "an address does not fit .u16"},
    {"@`%r1 bra $end;", "a guard must be a predicate, but %r1 is .b32"},
    {"@`5 bra $end;", "a register is expected here, not '5'"},
    {"bra `$nowhere;", "label '$nowhere' is not defined in this function"},
    {"bra `%r1;", "bra needs a label"},
    {"`$end: add.s32 %r1, %r2, %r3;", "label '$end' is defined twice"},
    {"`ld.global %r1, [%l1];", "'ld' needs the type of the value that it moves"},
    {"ld.global.u32 %r1, [`%r2];", "register %r2 is .b32 where an address of 64 bits is expected"},
    {"ld.global.u32 %r1, `%l1;", "an address in brackets is expected here"},
    {"ld.global.u32 %r1, [`tile];", "'tile' is in .shared memory, not in .global memory"},
    {"ld.param.u32 %r1, [`missing];", "is not a register or variable"},
    {"ld.global.u32 %r1, [%l1`;", "']' is expected here, not ';'"},
    {"ld.global.u32 %r1, [%l1+`%r2];", "'%r2' is not a number"},
    {"`ld.global.v4.u64 {%l1, %l2, %l1, %l2}, [%l1];", "an access has at most 16 bytes"},
    {"ld.global.v2.u32 `%r1, [%l1];", "the instruction moves 2 elements"},
    {"ld.global.u64 `%r1, [%l1];", "register %r1 is .b32 where .u64 is expected"},
    {"ld.global`.zz.u32 %r1, [%l1];", "simtlab does not support 'ld' with the modifier .zz"},
    {"`st.const.u32 [%l1], %r1;", "constant memory cannot be written"},
    {"`st.param.u32 [n], %r1;", "a kernel's parameters cannot be written"},
    {"atom.global`.mul.u32 %r1, [%l1], %r2;", "modifier .mul"},
    {"`atom.global.min.f32 %f1, [%l1], %f1;", "does not support 'atom' with this operation and type"},
    {"`atom.local.add.u32 %r1, [%l1], %r2;", "atomic operations need .global or .shared memory"},
    {"setp.lt.u32 `%r1, %r2, %r3;", "register %r1 is .b32 where .pred is expected"},
    {"`setp.zz.u32 %p1, %r2, %r3;", "simtlab does not support 'setp.zz.u32'"},
    {"`setp.lt.b32 %p1, %r2, %r3;", "simtlab does not support 'setp.lt.b32'"},
    {"selp.u32 %r1, %r2, %r3, `%r1;", "register %r1 is .b32 where .pred is expected"},
    {"`cvt.s32.f32 %r1, %f1;", "a conversion to integers needs one of .rni, .rzi, .rmi and .rpi"},
    {"`cvt.rni.f16.f32 %h1, %f1;", "simtlab does not support"},
    {"`set.lt.u16.u32 %h1, %r1, %r2;", "simtlab does not support 'set.lt.u16.u32'"},
    {"`add.rz.f16 %h1, %h1, %h1;", "simtlab does not support"},
    {"`redux.sync.add.b32 %r1, %r2, -1;", "redux needs .sync"},
    {"`cvta.global.u32 %r1, %r2;", "addresses have 64 bits"},
    {"`bar.red.popc.s32 %r1, 0, %p1;", "a reduction at a barrier needs .popc and .u32, or .and or .or and .pred"},
    {"`bar.red.and.pred %p1, 0;", "takes 3 to 4 operands here, not 2"},
    {"`bar.wait 0;", "a barrier needs .sync, .arrive or .red"},
    {"bar.sync `16;", "the number of a barrier must be from 0 to 15"},
    {"`shfl.sync.zz.b32 %r1, %r2, 1, 31, -1;", "shfl needs .up, .down, .bfly or .idx, and .b32"},
    {"call `nobody;", "'nobody' is not a function declared above"},
    {"@%p1 call `nobody;", "'nobody' is not a function declared above"},
    {".reg `.b8 %x;", "registers of .pred and of types of 16, 32 and 64 bits, not of .b8"},
    {".reg .b32 %x<`99999>;", "a number from 0 to 65536 is expected here"},
    {"`.zz 5;", "does not support the directive .zz here"},
    {".local .align `3 .b8 x[4];", "alignment"},
};

static void check_body(const struct wrong *w)
{
  check_module(".version 6.4\n.target sm_70\n.address_size 64\n.shared .align 4 .b8 tile[64];\n"
               ".global .texref image;\n.visible .entry k(.param .u32 n)\n{\n.reg .pred %p<3>;\n.reg .b16 %h<2>;\n.reg "
               ".b32 %r<4>;\n"
               ".reg .s32 %s<4>;\n.reg .b64 %l<3>;\n.reg .f32 %f<3>;\n.reg .f64 %d<3>;\n$end:\n\t",
               "\n\tret;\n}\n", w);
}

static void a_wrong_instruction_is_refused_at_its_place(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
    check_body(&bodies[i]);
  for (size_t i = 0; i < sizeof more_bodies / sizeof *more_bodies; i++)
    check_body(&more_bodies[i]);
}

static const struct wrong modules[] = {
    {"`hello", "simtlab does not support 'hello' outside of functions"},
    {".entry `;", "the name of a function is expected here"},
    {".entry k(`.reg .u32 n) { ret; }", "parameters are declared with .param here"},
    {".entry k(.param .u32 n `{ ret; }", "')' is expected here, not '{'"},
    {".entry k() { ret;`", "the text ends in a function"},
    {".entry k()`", "the text ends where '{' is expected"},
    {".entry k() { ret; }\n.entry `k() { ret; }", "'k' is declared twice"},
    {".global .u32 `;", "the name of a variable is expected here"},
    {".global `x;", "the type of the variable is missing"},
    {".global .texref `t[2];", "simtlab supports only single .texref variables in .global memory"},
    {".const .texref `t;", "simtlab supports only single .texref variables in .global memory"},
    {".global .texref `t = 5;", "simtlab supports only single .texref variables in .global memory"},
    {".global .u32 x[2] = {1, 2, `3};", "more initial values than 'x' has room for"},
    {".global .u32 x = `y;", "an initial value must be a number"},
    {".global .u64 x = `y;", "is neither a number nor a variable in .global or .const memory"},
    {".extern .global .u32 `x;", "'x' is not defined in this module"},
    {".global .b8 x[`999999999];", "a number from 0"},
    {".global .u32 x", "';' is expected"},
};

static void a_wrong_module_is_refused_at_its_place(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
    struct wrong w = modules[i];
    char text[256];
    if (strchr(w.text, '`') == NULL) {
      snprintf(text, sizeof text, "%s`", w.text);
      w.text = text;
    }
    check_module("", "", &w);
  }
}

static const struct wrong scripts[] = {
    {"`", "the statement ptx FILE or elf FILE is missing"},
    {"`frob x", "is not a statement"},
    {"ptx`", "the statement is: ptx FILE"},
    {"ptx a `b", "the statement is: ptx FILE"},
    {"ptx a\n`ptx b", "a launch script has only one statement ptx"},
    {"ptx a\nbuffer x 5`", "the statement is: buffer NAME BYTES [at ADDRESS] INIT"},
    {"ptx a\nbuffer x `five zero", "'five' is not a number"},
    {"ptx a\nbuffer x `-5 zero", "the size of a buffer must not be negative"},
    {"ptx a\nbuffer x `99999999999 zero", "is more than 34359738368"},
    {"ptx a\nbuffer x 4 `random", "is not zero, iota, ramp, const, randu, randf, csr or file"},
    {"ptx a\nbuffer x 4 randu 5`", "the statement is: buffer NAME BYTES randu MODULUS SEED"},
    {"ptx a\nbuffer x 4 randu `0 5", "the modulus of randu must not be 0"},
    {"ptx a\nlaunch k 1 1 1 1 1 1`", "the statement is: launch KERNEL"},
    {"ptx a\nlaunch k 1 1 1 `0 1 1 0", "at least 1"},
    {"ptx a\nlaunch k 1 1 1 `64 32 1 0", "a block has at most 1024 threads"},
    {"ptx a\nlaunch k 1 1 1 1 1 1 `999999 ", "is more than 98304"},
    {"ptx a\nlaunch k 1 1 1 1 1 1 0 `5", "is not an argument"},
    {"ptx a\nlaunch k 1 1 1 1 1 1 0 buf:`x", "no buffer 'x' is defined above"},
    {"ptx a\nlaunch k 1 1 1 1 1 1 0 u32:`x", "'x' is not a number"},
    {"ptx a\nlaunch k 1 1 1 1 1 1 0 f32:`x", "'x' is not a number"},
    {"ptx a\nlaunch k 1 1 1 1 1 1 0 u32:`4294967296", "is more than 4294967295"},
    {"ptx a\nsum `x", "no buffer 'x' is defined above"},
    {"ptx a\nbuffer x 4 zero\nexpect x `12", "a checksum has 16 hexadecimal digits"},
    {"ptx a\nbuffer x 4 zero\nmemset x `256", "256 is more than 255"},
    {"ptx a\nregs k `256", "256 is more than 255"},
    {"ptx a\nregs k`", "the statement is: regs KERNEL REGISTERS"},
    {"ptx a\nsum`", "the statement is: sum BUFFER"},
    {"ptx a\nbuffer x 4 zero\nsum x `y", "the statement is: sum BUFFER"},
    {"ptx a\nbuffer x 4 zero\ndump x`", "the statement is: dump BUFFER PATH"},
    {"ptx a\nbuffer x 4 zero `zero", "the statement is: buffer NAME BYTES zero"},
    {"ptx a\nbuffer x 4 const `5000000000", "is more than 4294967295"},
    {"ptx a\nbuffer x 4 csr 5`", "the statement is: buffer NAME BYTES csr AVERAGE SEED"},
    {"ptx a\nbuffer x 4 file`", "the statement is: buffer NAME BYTES file PATH"},
    {"ptx a\nlaunch k 1 `70000 1 1 1 1 0", "is more than 65535"},
    {"ptx a\nlaunch k 1 1 1 1 1 `65 0", "is more than 64"},
    {"ptx a\nlaunch k `-1 1 1 1 1 1 0", "at least 1"},
    {"ptx a\nbuffer x 4 zero\nlaunch k 1 1 1 1 1 1 0 buf:x+`y", "'y' is not a number"},
    {"ptx a\nlaunch k 1 1 1 1 1 1 0 `f16:1", "is not an argument"},
    {"ptx a\nlaunch k 1 1 1 1 1 1 0 u8:`256", "is more than 255"},
    {"ptx a\ntexture t`", "the statement is: texture NAME buf:BUFFER WIDTH HEIGHT FORMAT"},
    {"ptx a\ntexture t `u32:5 1 1 u8", "'u32:5' is not a buffer"},
    {"ptx a\ntexture t buf:`x 1 1 u8", "no buffer 'x' is defined above"},
    {"ptx a\nbuffer x 64 zero\ntexture t buf:x `0 1 u8", "a texture must be at least 1 wide and high"},
    {"ptx a\nbuffer x 64 zero\ntexture t buf:x 1 `99999999999 u8", "is more than"},
    {"ptx a\nbuffer x 64 zero\ntexture t buf:x 1 1 `u8x3", "'u8x3' is not a format"},
    {"ptx a\nbuffer x 64 zero\ntexture t buf:x 1 1 `un32", "'un32' is not a format"},
    {"ptx a\nbuffer x 64 zero\ntexture t `buf:x 8 8 u16", "the buffer ends before the texture"},
    {"ptx a\nbuffer x 64 zero\ntexture t `buf:x+1 8 7 u8x2", "the buffer ends before the texture"},
    {"ptx a\nbuffer x 64 zero\ntexture t `buf:x+1 4 4 u8x2", "the offset is not a multiple of the texel size"},
};

static void a_wrong_launch_description_is_refused_at_its_place(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
    char text[512], place[32];
    struct sl_error err = {0};
    struct sl_script script;
    const size_t length = without_mark(scripts[i].text, text, sizeof text, place, sizeof place);
    assert_int_equal(sl_script_parse(&script, text, length, "x.launch", &err), SL_USAGE);
    says(&err, "x.launch", place, &scripts[i]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wrong_instruction_is_refused_at_its_place),
      cmocka_unit_test(a_wrong_module_is_refused_at_its_place),
      cmocka_unit_test(a_wrong_launch_description_is_refused_at_its_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
