#include "ptx/text/ptx_opcodes.h"

#include "ptx/text/ptx_form_control.h"
#include "ptx/text/ptx_form_linear.h"
#include "ptx/text/ptx_form_memory.h"
#include "ptx/text/ptx_form_texture.h"
#include "ptx/text/ptx_form_values.h"
#include "ptx/text/ptx_form_warp.h"

typedef bool form_function(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned detail);

enum { BITS = SL_PTX_BITS, ANY = SL_PTX_BITS | SL_PTX_FLOATS };

static const struct {
  const char *name;
  form_function *form;
  unsigned detail;
} opcodes[] = {
    {"add", sl_ptx_form_row, 0},
    {"addc", sl_ptx_form_row, 0},
    {"sub", sl_ptx_form_row, 0},
    {"subc", sl_ptx_form_row, 0},
    {"mul", sl_ptx_form_row, 0},
    {"mad", sl_ptx_form_row, 0},
    {"madc", sl_ptx_form_row, 0},
    {"mul24", sl_ptx_form_row, 0},
    {"mad24", sl_ptx_form_row, 0},
    {"sad", sl_ptx_form_row, 0},
    {"div", sl_ptx_form_row, 0},
    {"rem", sl_ptx_form_row, 0},
    {"neg", sl_ptx_form_row, 0},
    {"abs", sl_ptx_form_row, 0},
    {"min", sl_ptx_form_row, 0},
    {"max", sl_ptx_form_row, 0},
    {"fma", sl_ptx_form_row, 0},
    {"sqrt", sl_ptx_form_row, 0},
    {"rsqrt", sl_ptx_form_row, 0},
    {"rcp", sl_ptx_form_row, 0},
    {"sin", sl_ptx_form_row, 0},
    {"cos", sl_ptx_form_row, 0},
    {"ex2", sl_ptx_form_row, 0},
    {"lg2", sl_ptx_form_row, 0},
    {"tanh", sl_ptx_form_row, 0},
    {"copysign", sl_ptx_form_row, 0},
    {"testp", sl_ptx_form_row, 0},
    {"and", sl_ptx_form_logic, BITS},
    {"or", sl_ptx_form_logic, BITS},
    {"xor", sl_ptx_form_logic, BITS},
    {"not", sl_ptx_form_logic, BITS},
    {"cnot", sl_ptx_form_row, BITS},
    {"shl", sl_ptx_form_row, BITS},
    {"shr", sl_ptx_form_row, BITS},
    {"shf", sl_ptx_form_row, BITS},
    {"prmt", sl_ptx_form_row, BITS},
    {"lop3", sl_ptx_form_row, BITS},
    {"clz", sl_ptx_form_row, BITS},
    {"popc", sl_ptx_form_row, BITS},
    {"brev", sl_ptx_form_row, BITS},
    {"bfind", sl_ptx_form_row, 0},
    {"bfe", sl_ptx_form_row, 0},
    {"bfi", sl_ptx_form_row, BITS},
    {"selp", sl_ptx_form_row, ANY},
    {"slct", sl_ptx_form_row, ANY},
    {"mov", sl_ptx_form_mov, ANY},
    {"cvt", sl_ptx_form_cvt, 0},
    {"cvta", sl_ptx_form_space, 0},
    {"isspacep", sl_ptx_form_space, 0},
    {"setp", sl_ptx_form_setp, 0},
    {"set", sl_ptx_form_set, 0},
    {"ld", sl_ptx_form_access, 0},
    {"ldu", sl_ptx_form_access, 0},
    {"st", sl_ptx_form_access, 1},
    {"atom", sl_ptx_form_atomic, 0},
    {"red", sl_ptx_form_atomic, 1},
    {"createpolicy", sl_ptx_form_policy, 0},
    {"tex", sl_ptx_form_tex, 0},
    {"membar", sl_ptx_form_membar, 0},
    {"fence", sl_ptx_form_membar, 0},
    {"shfl", sl_ptx_form_shfl, 0},
    {"vote", sl_ptx_form_vote, 0},
    {"match", sl_ptx_form_match, 0},
    {"activemask", sl_ptx_form_activemask, 0},
    {"bar", sl_ptx_form_bar, 0},
    {"barrier", sl_ptx_form_bar, 0},
    {"bra", sl_ptx_form_bra, 0},
    {"ret", sl_ptx_form_end, SL_PTX_K_RETURN},
    {"exit", sl_ptx_form_end, SL_PTX_K_EXIT},
    {"trap", sl_ptx_form_end, SL_PTX_K_TRAP},
    {"r2", sl_ptx_form_linear, 0},
    {"prefetch", sl_ptx_form_nothing, 0},
    {"prefetchu", sl_ptx_form_nothing, 0},
    {"nanosleep", sl_ptx_form_nothing, 0},
    {"pmevent", sl_ptx_form_nothing, 0},
};

bool sl_ptx_instruction_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  if (!sl_ptx_opcode_read(p, st))
    return false;
  if (sl_ptx_token_is(&st->opcode, "call"))
    return sl_ptx_call_read(p, st);
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
    if (sl_ptx_token_is(&st->opcode, opcodes[i].name))
      return sl_ptx_operands_read(p, st) && opcodes[i].form(p, st, opcodes[i].detail);
  return sl_ptx_error(p, &st->opcode,
                      "simtlab does not support the instruction '%.*s': docs/how-to/ptx.md lists the supported ones",
                      SL_PTX_SHOWN(&st->opcode));
}
