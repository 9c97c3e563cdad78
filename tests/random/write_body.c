/* Statements as assembly. x5, x6 and x7 hold addresses and conditions within a statement; write_batch.c describes the
 * other registers. */
#include "write.h"

#include <stdlib.h>
#include <string.h>

static void push(const struct writer *w, bool marked)
{
  if (marked)
    fprintf(w->file, "  PUSH\n");
}

static void pop(const struct writer *w, bool marked)
{
  if (marked)
    fprintf(w->file, "  POP\n");
}

static void write_init(const struct writer *w, const struct rnd_statement *s)
{
  switch (s->op) {
  case 0: fprintf(w->file, "  li x%u, %d\n", s->rd, (int)s->imm); break;
  case 1: fprintf(w->file, "  slli x%u, x11, %d\n", s->rd, (int)s->imm); break;
  case 2: fprintf(w->file, "  li x%u, %d\n  mul x%u, x%u, x10\n", s->rd, (int)s->imm, s->rd, s->rd); break;
  default: fprintf(w->file, "  li x%u, %d\n  add x%u, x%u, x12\n", s->rd, (int)s->imm, s->rd, s->rd); break;
  }
}

/* x5 = the address of the access' word in the lane's own place, without its offset in the word. */
static void write_own_address(const struct writer *w, const struct rnd_statement *s, enum rnd_place place)
{
  static const struct {
    unsigned base, words, bits; /* words: of 2^bits bytes */
    bool by_index;              /* all lanes' words of an index come before those of the next */
  } places[] = {
      [RND_WORDS] = {3, 16, 2, true},  [RND_BLOCK] = {4, 16, 2, false}, [RND_SCRATCH] = {14, 4, 2, true},
      [RND_STACK] = {2, 16, 2, false}, [RND_HALVES] = {15, 8, 1, true}, [RND_BYTES] = {13, 8, 0, true},
  };
  const unsigned words = places[place].words, bits = places[place].bits;
  const bool by_index = places[place].by_index && (place != RND_SCRATCH || w->program->scratch_by_words);
  const unsigned shift = by_index ? w->program->stride_bits : 0;
  if (s->rs1 == 0) {
    fprintf(w->file, "  li x5, %u\n", ((unsigned)s->imm % words) << (bits + shift));
  } else {
    fprintf(w->file, "  andi x5, x%u, %u\n", s->rs1, (words - 1) << bits);
    if (shift > 0)
      fprintf(w->file, "  slli x5, x5, %u\n", shift);
  }
  if (place == RND_STACK)
    fprintf(w->file, "  sub x5, x2, x5\n  addi x5, x5, -4\n");
  else
    fprintf(w->file, "  add x5, x5, x%u\n", places[place].base);
}

static void write_shared_address(const struct writer *w, const struct rnd_statement *s)
{
  fprintf(w->file, "  andi x5, x%u, 127\n", s->rs1);
  if (s->scale > 0)
    fprintf(w->file, "  slli x5, x5, %u\n", s->scale);
  if (s->place == RND_ZEROES || s->place == RND_DRAIN)
    fprintf(w->file, "  lui x6, 0x%x\n  add x5, x5, x6\n", s->place == RND_ZEROES ? 0xbfff8 : 0xbfffa);
  else
    fprintf(w->file, "  add x5, x5, x%u\n", s->place == RND_TABLE ? 17 : 16);
}

/* x5 = the address; returns the offset to add. An access at a constant index often needs no x5. */
static void write_address(const struct writer *w, const struct rnd_statement *s, char operand[32])
{
  snprintf(operand, 32, "%u(x5)", s->offset);
  if (s->place >= RND_TABLE) {
    write_shared_address(w, s);
    return;
  }
  if (s->other == s->place && s->rs1 == 0 && (s->place == RND_BLOCK || s->place == RND_STACK)) {
    const int word = s->imm % 16 * 4;
    snprintf(operand, 32, s->place == RND_BLOCK ? "%d(x4)" : "%d(x2)",
             (s->place == RND_BLOCK ? word : -4 - word) + s->offset);
    return;
  }
  write_own_address(w, s, (enum rnd_place)s->place);
  if (s->other == s->place)
    return;
  fprintf(w->file, "  mv x7, x5\n");
  write_own_address(w, s, (enum rnd_place)s->other);
  fprintf(w->file, "  andi x6, x%u, 1\n  neg x6, x6\n  xor x5, x5, x7\n  and x5, x5, x6\n  xor x5, x5, x7\n",
          s->select);
}

static void write_access(const struct writer *w, const struct rnd_statement *s, const char *name)
{
  char operand[32];
  write_address(w, s, operand);
  if (s->kind == RND_ATOMIC)
    fprintf(w->file, "  %s x%u, x%u, (x5)\n", name, s->rd, s->rs2);
  else
    fprintf(w->file, "  %s x%u, %s\n", name, s->kind == RND_LOAD ? s->rd : s->rs2, operand);
}

/* Eight words for all lanes, so that lanes conflict, and hashes, so that every order of lanes gives other values. */
static void write_conflict(const struct writer *w, const struct rnd_statement *s, const char *name)
{
  fprintf(w->file,
          "  andi x5, x%u, 28\n  lui x6, 0xbfffc\n  add x5, x5, x6\n  li x7, 0x9e3779b1\n  mul x7, x10, x7\n"
          "  ori x7, x7, 1\n  %s x%u, x7, (x5)\n",
          s->rs1, name, s->rd);
}

static void write_jump(const struct writer *w, const struct rnd_statement *s, unsigned link)
{
  const unsigned rd = s->rd, label = s->op == 1 ? rnd_new_label(w) : 0;
  if (s->op == 1)
    fprintf(w->file, "  jal x%u, .L%u\n  addi x%u, x%u, 1\n.L%u:\n  auipc x5, 0\n  sub x%u, x5, x%u\n", link, label,
            link, link, label, rd, link);
  else /* past the instruction after it */
    fprintf(w->file, "  auipc x5, 0\n  jalr x%u, 12(x5)\n  addi x%u, x%u, 1\n  sub x%u, x%u, x5\n", link, link, link,
            rd, link);
}

/* On a machine with a block scheduler a jump that links to x1 is a call, which has to return. */
static void write_link(const struct writer *w, const struct rnd_statement *s)
{
  enum { RA = 1, SCRATCH = 7 };
  const unsigned rd = s->rd;
  if (s->op == 0) {
    fprintf(w->file, "  auipc x%u, 0\n  auipc x5, 0\n  sub x%u, x5, x%u\n", rd, rd, rd);
    return;
  }
  if (rd != RA) {
    write_jump(w, s, rd);
    return;
  }
  fprintf(w->file, ".ifdef GRID\n");
  write_jump(w, s, SCRATCH);
  fprintf(w->file, ".else\n");
  write_jump(w, s, rd);
  fprintf(w->file, ".endif\n");
}

static void write_barrier(const struct writer *w)
{
  fprintf(w->file, w->program->wrapped ? "  POP\n  PUSH\n  BARRIER\n" : "  BARRIER\n");
}

/* Instructions without memory or control flow. */
static void write_plain(const struct writer *w, const struct rnd_statement *s, const char *name)
{
  FILE *f = w->file;
  switch ((enum rnd_kind)s->kind) {
  case RND_REGISTER:
  case RND_FLOAT2: fprintf(f, "  %s x%u, x%u, x%u\n", name, s->rd, s->rs1, s->rs2); break;
  case RND_IMMEDIATE:
    if (strcmp(name, "lui") == 0)
      fprintf(f, "  lui x%u, 0x%x\n", s->rd, (unsigned)s->imm & 0xfffff);
    else
      fprintf(f, "  %s x%u, x%u, %d\n", name, s->rd, s->rs1, (int)s->imm);
    break;
  case RND_FLOAT1:
    fprintf(f, "  %s x%u, x%u%s\n", name, s->rd, s->rs1, strncmp(name, "fcvt.w", 6) == 0 ? ", rtz" : "");
    break;
  case RND_FENCE: fprintf(f, "  fence\n"); break;
  case RND_CONVERGE: fprintf(f, "  POP\n  PUSH\n"); break;
  default: /* RND_CSR */ fprintf(f, "  %s x%u\n", name, s->rd); break;
  }
}

static void write_simple(const struct writer *w, const struct rnd_statement *s)
{
  const char *name = rnd_op_name((enum rnd_kind)s->kind, s->op);
  switch ((enum rnd_kind)s->kind) {
  case RND_INIT: write_init(w, s); break;
  case RND_LOAD:
  case RND_STORE:
  case RND_ATOMIC: write_access(w, s, name); break;
  case RND_CONFLICT: write_conflict(w, s, name); break;
  case RND_BARRIER: write_barrier(w); break;
  case RND_LINK: write_link(w, s); break;
  default: write_plain(w, s, name); break;
  }
  if (w->broken != NULL && s->rd != 0 && strcmp(name, w->broken) == 0)
    fprintf(w->file, ".ifndef HOSTED\n  sltu x7, x0, x8\n  xor x%u, x%u, x7\n.endif\n", s->rd, s->rd);
}

static void write_list(const struct writer *w, unsigned from, unsigned to);

/* The ELSE that belongs to the if at i, or its end. */
static unsigned else_of(const struct rnd_program *p, unsigned i, unsigned end)
{
  unsigned depth = 0;
  for (unsigned k = i; k < end; k++) {
    const uint8_t kind = p->statement[k].kind;
    if (kind == RND_ELSE && depth == 1)
      return k;
    depth += kind == RND_IF || kind == RND_LOOP;
    depth -= kind == RND_END;
  }
  return end;
}

static void write_if(const struct writer *w, unsigned i, unsigned end)
{
  const struct rnd_statement *s = &w->program->statement[i];
  const char *name = rnd_op_name(RND_IF, s->op);
  const unsigned middle = else_of(w->program, i, end), other = rnd_new_label(w), after = rnd_new_label(w);
  if (s->imm != 0)
    fprintf(w->file, "  andi x7, x%u, %d\n", s->rs1, (int)s->imm);
  push(w, s->marked);
  if (s->imm != 0)
    fprintf(w->file, "  %s x7, x0, .L%u\n", name, other);
  else
    fprintf(w->file, "  %s x%u, x%u, .L%u\n", name, s->rs1, s->rs2, other);
  write_list(w, i + 1, middle);
  if (middle < end) {
    fprintf(w->file, "  j .L%u\n.L%u:\n", after, other);
    write_list(w, middle + 1, end);
    fprintf(w->file, ".L%u:\n", after);
  } else {
    fprintf(w->file, ".L%u:\n", other);
  }
  pop(w, s->marked);
}

static void write_loop(const struct writer *w, unsigned i, unsigned end)
{
  const struct rnd_statement *s = &w->program->statement[i];
  const unsigned again = rnd_new_label(w);
  if (s->rs1 != 0)
    fprintf(w->file, "  andi x%u, x%u, %d\n  addi x%u, x%u, 1\n", s->rd, s->rs1, (int)s->imm, s->rd, s->rd);
  else
    fprintf(w->file, "  li x%u, %d\n", s->rd, (int)s->imm);
  push(w, s->marked);
  fprintf(w->file, ".L%u:\n", again);
  write_list(w, i + 1, end);
  fprintf(w->file, "  addi x%u, x%u, -1\n  bnez x%u, .L%u\n", s->rd, s->rd, s->rd, again);
  pop(w, s->marked);
}

static void write_list(const struct writer *w, unsigned from, unsigned to)
{
  for (unsigned i = from; i < to; i++) {
    const uint8_t kind = w->program->statement[i].kind;
    if (kind != RND_IF && kind != RND_LOOP) {
      write_simple(w, &w->program->statement[i]);
      continue;
    }
    const unsigned end = rnd_block_end(w->program, i);
    if (kind == RND_IF)
      write_if(w, i, end);
    else
      write_loop(w, i, end);
    i = end;
  }
}

void rnd_write_statements(const struct writer *w)
{
  push(w, w->program->wrapped);
  write_list(w, 0, w->program->count);
  pop(w, w->program->wrapped);
}

void rnd_write_body(const struct rnd_program *program, FILE *file)
{
  unsigned labels = 0;
  const struct writer w = {.program = program, .file = file, .labels = &labels};
  rnd_write_statements(&w);
}

unsigned rnd_instructions(const struct rnd_program *program)
{
  char *text = NULL;
  size_t size = 0;
  unsigned count = 0;
  FILE *file = open_memstream(&text, &size);
  if (file == NULL)
    return 0;
  rnd_write_body(program, file);
  if (fclose(file) == 0)
    for (const char *line = text; line != NULL && *line != '\0';) {
      count += line[0] == ' ';
      line = strchr(line, '\n');
      line += line != NULL;
    }
  free(text);
  return count;
}
