/* State of the parser, shared by its files: the text, the module read so far, and the current function.
 *
 * The first error is recorded with line and column. From then on sl_ptx_failed holds, and all functions return.
 * The functions are those of ptx_parser.c, ptx_body.c, ptx_declare.c and ptx_shared.c. */
#ifndef SL_PTX_TEXT_PTX_PARSER_H
#define SL_PTX_TEXT_PTX_PARSER_H

#include "base/types.h"
#include "ptx/ptx.h"
#include "ptx/ptx_passes.h"

/* Lexer for PTX text and for the arguments of launch scripts; tokens have line and column. */

enum sl_ptx_token_kind {
  SL_PTX_T_END,
  SL_PTX_T_WORD,   /* add, %r1, $L__BB0_1 */
  SL_PTX_T_DOT,    /* .u32, without the dot */
  SL_PTX_T_NUMBER, /* 12, 0x1f, 0f3F800000, 1.5 */
  SL_PTX_T_STRING, /* without the quotes */
  SL_PTX_T_SIGN    /* one character */
};

struct sl_ptx_token {
  enum sl_ptx_token_kind kind;
  const char *text;
  size_t length;
  uint32_t line, column;
};

struct sl_ptx_lexer {
  const char *at, *end, *line_start;
  uint32_t line;
};

void sl_ptx_lexer_init(struct sl_ptx_lexer *x, const char *text, size_t length);

/* Whether the token's text is `text`. */
bool sl_ptx_token_is(const struct sl_ptx_token *t, const char *text);

/* A literal as a number: bits of an integer, or of a double. */
struct sl_ptx_number {
  bool ok, real, single; /* single: written with 0f, `bits` has 32 bits */
  uint64_t bits;         /* of an integer, of a float, of a double */
};
struct sl_ptx_number sl_ptx_token_number(const struct sl_ptx_token *t);

/* A register or a range of registers: `.reg .b32 %r<40>`. */
struct sl_ptx_bank {
  struct sl_ptx_token name;
  enum sl_ptx_type type;
  uint32_t count; /* 0: one, without a number */
  uint32_t first; /* index of its first register in `registers` */
};

/* A register of the function; it gets a place on first use. */
struct sl_ptx_register {
  enum sl_ptx_type type;
  uint16_t id, printed;
  uint32_t offset;
};

static inline struct sl_ptx_reg sl_ptx_reg_of(const struct sl_ptx_register *r)
{
  return (struct sl_ptx_reg){r->id, r->printed, (uint8_t)((sl_ptx_type_bytes(r->type) + 3) / 4)};
}

/* A variable or a parameter that an operand can name. */
struct sl_ptx_symbol {
  struct sl_ptx_token name;
  enum sl_ptx_space space; /* PARAM: of a kernel; LOCAL: in the frame */
  uint64_t address, bytes;
  bool parameter;  /* declared by .param */
  bool undefined;  /* .extern: defined elsewhere in the text */
  bool texture;    /* .texref: a variable that holds a handle */
  bool dynamic;    /* .extern .shared: its address is known at the end of the module */
  uint32_t shared; /* number of a shared variable of the module or of a device function, plus 1 */
  bool argument;   /* .param in a body: shares the place of the callee's parameter */
  bool passed;     /* it does */
};

struct sl_ptx_label {
  struct sl_ptx_token name;
  uint32_t pc;
  bool defined;
};

/* A constant with allocated lanes. */
struct sl_ptx_pooled {
  uint64_t bits;
  uint32_t offset;
  bool wide;
};

/* An instruction whose address operand is an argument's. */
struct sl_ptx_argument_use {
  uint32_t pc, symbol;
};

/* Places of a function's registers, by number, then of discarded results. */
struct sl_ptx_homes {
  uint32_t function, count;
  struct sl_ptx_home *home;
};

/* Growing arrays, by sl_ptx_grow. */
#define SL_PTX_LIST(type)                                                                                              \
  struct {                                                                                                             \
    type *items;                                                                                                       \
    uint32_t count, room;                                                                                              \
  }

struct sl_ptx_item; /* ptx/text/ptx_forms.h */
/* A shared variable that several functions may use, and who does. */
struct sl_ptx_shared_place {
  uint64_t address, bytes, align;
};
struct sl_ptx_shared_use {
  uint32_t function, variable;
};
/* Constants with the address of dynamic shared memory, of 32 and 64 bits, plus 1; 0: not used. */
struct sl_ptx_dynamic {
  uint32_t function, constant[2];
};
/* Where they are, from an earlier pass; base: the first byte after those of an entry, by number of the function. */
struct sl_ptx_shared_layout {
  uint32_t variables, functions;
  uint32_t *base;
  uint64_t address[];
};
void sl_ptx_shared_layout_free(struct sl_ptx_shared_layout *layout);

struct sl_ptx_parser {
  struct sl_ptx_lexer lexer;
  struct sl_ptx_token token; /* the next one */
  struct sl_ptx_module *module;
  struct sl_error *err;
  enum sl_status status;

  SL_PTX_LIST(struct sl_ptx_insn) code;
  SL_PTX_LIST(struct sl_ptx_function) functions;
  SL_PTX_LIST(struct sl_ptx_transfer) transfers;
  SL_PTX_LIST(struct sl_ptx_source) sources;
  SL_PTX_LIST(uint8_t) constants;
  SL_PTX_LIST(struct sl_ptx_pooled) pool;
  SL_PTX_LIST(uint8_t) globals;
  SL_PTX_LIST(uint8_t) consts;
  SL_PTX_LIST(struct sl_ptx_symbol) symbols; /* of the module, then of the function */
  SL_PTX_LIST(struct sl_ptx_homes) homes;
  SL_PTX_LIST(struct sl_ptx_item) further; /* elements of the current statement's vectors */
  uint32_t shared_bytes;                   /* of module variables and of device functions */
  uint32_t frame_bytes;                    /* of all functions */
  uint32_t stack;      /* place of the current function's stack in the frame; UINT32_MAX: it has none */
  uint32_t dynamic[2]; /* the current function's sl_ptx_dynamic */
  SL_PTX_LIST(struct sl_ptx_shared_place) shared;
  SL_PTX_LIST(struct sl_ptx_shared_use) shared_uses;
  SL_PTX_LIST(struct sl_ptx_dynamic) dynamics;
  const struct sl_ptx_shared_layout *layout;

  const bool
      *deep; /* by number: functions that may be active several times, from an earlier pass; NULL: none is known */

  const struct sl_ptx_symbol *known; /* variables of the text, from an earlier pass */
  uint32_t known_count;

  /* The current function. */
  uint32_t function;
  SL_PTX_LIST(struct sl_ptx_bank) banks;
  SL_PTX_LIST(struct sl_ptx_register) registers;
  SL_PTX_LIST(struct sl_ptx_label) labels;
  SL_PTX_LIST(struct sl_ptx_argument_use) uses;
  SL_PTX_LIST(uint32_t) rolled; /* PCs at which a loop that is not unrolled may begin */
  uint32_t used, register_bytes, function_shared;
  uint32_t sink;                    /* offset of the place for discarded results (_), plus 1; 0: none */
  uint32_t source;                  /* of the last .loc, plus 1 */
  bool weak;                        /* the declaration is .weak */
  bool wider;                       /* the instruction allows registers wider than its types */
  bool rolled_all, rolled_function; /* no loop of the functions that follow, of this function, is unrolled */
  enum sl_ptx_position { SL_PTX_IN_MODULE, SL_PTX_IN_HEADER, SL_PTX_IN_BODY } at;
};

/* The text of a token as a string that the caller frees; NULL: out of memory. */
char *sl_ptx_token_copy(struct sl_ptx_parser *p, const struct sl_ptx_token *t);

/* Makes room for `more` items of `size` bytes. */
bool sl_ptx_grow(struct sl_ptx_parser *p, void *items, uint32_t *count, uint32_t *room, size_t size, uint32_t more);
#define SL_PTX_MORE(p, list, n)                                                                                        \
  sl_ptx_grow(p, &(list).items, &(list).count, &(list).room, sizeof *(list).items, (uint32_t)(n))

static inline bool sl_ptx_failed(const struct sl_ptx_parser *p)
{
  return p->status != SL_OK;
}

/* Records an error at a token, if it is the first. Returns false. */
bool sl_ptx_error(struct sl_ptx_parser *p, const struct sl_ptx_token *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void sl_ptx_advance(struct sl_ptx_parser *p);
/* Whether the next token is this sign, word or .word; `take` also consumes it. */
bool sl_ptx_at(const struct sl_ptx_parser *p, enum sl_ptx_token_kind kind, const char *text);
bool sl_ptx_take(struct sl_ptx_parser *p, enum sl_ptx_token_kind kind, const char *text);
/* Consumes this sign, or reports that it is missing. */
bool sl_ptx_expect(struct sl_ptx_parser *p, const char *sign);

/* For `%.*s`. */
#define SL_PTX_SHOWN(t) (int)((t)->length < 60 ? (t)->length : 60), (t)->text

/* The type of a name such as u32; SL_PTX_NO_TYPE if there is none. */
enum sl_ptx_type sl_ptx_type_named(const struct sl_ptx_token *t);
const char *sl_ptx_type_name(enum sl_ptx_type type);

static inline bool sl_ptx_same(const struct sl_ptx_token *a, const struct sl_ptx_token *b)
{
  return a->length == b->length && __builtin_memcmp(a->text, b->text, a->length) == 0;
}

/* Parses the body of a function: declarations, labels, instructions. Starts after the opening brace, and consumes
 * the closing one. Registers are numbered from 0 in each function. */
bool sl_ptx_body_read(struct sl_ptx_parser *p);

/* Skips a directive without effect, or processes .loc and .file; false if it is none of these. */
bool sl_ptx_directive_skip(struct sl_ptx_parser *p);

/* Parses declarations: registers, variables with initial values, parameters. */

/* After `.reg`, up to the semicolon. */
bool sl_ptx_declare_registers(struct sl_ptx_parser *p);

/* After `.global` etc., up to the semicolon. In a function, `.param` declares arguments of its calls. */
bool sl_ptx_declare_variable(struct sl_ptx_parser *p, enum sl_ptx_space space, bool is_extern);

/* A parameter after `.param`: its name, type and size. */
struct sl_ptx_declared {
  struct sl_ptx_token name;
  enum sl_ptx_type type;
  uint64_t bytes, align;
  bool open; /* name[], without a size */
  bool texture;
};
bool sl_ptx_declared_read(struct sl_ptx_parser *p, struct sl_ptx_declared *d);

/* Places shared variables that several functions may use: those of the module and of device functions. An entry has
 * room for the variables that it and the functions it calls use. Those of entries that never run together overlap. */

/* Reads on after a variable: its number, plus 1, or 0 for lack of memory. Sets the symbol's address. */
bool sl_ptx_shared_declare(struct sl_ptx_parser *p, struct sl_ptx_symbol *s, uint64_t align);

/* Notes that the current function uses a variable. */
bool sl_ptx_shared_use(struct sl_ptx_parser *p, const struct sl_ptx_symbol *s);

/* Where the variables of the current function's own begin. */
uint32_t sl_ptx_shared_base(const struct sl_ptx_parser *p);

/* Notes the constants with the address of dynamic shared memory that the function before used. */
bool sl_ptx_shared_end_function(struct sl_ptx_parser *p);

/* At the end of a pass: lays the variables out. The layout differs from the one that the text was read with: *layout is
 * the better one, which the caller frees, for another pass. */
bool sl_ptx_shared_improve(struct sl_ptx_parser *p, struct sl_ptx_shared_layout **layout);

/* At the end of the last pass: dynamic shared memory begins after the variables of an entry; if device functions use
 * it, after those of all entries that do. */
bool sl_ptx_shared_finish(struct sl_ptx_parser *p);

#endif
