/* Writes random programs with locks as C for the kernel library, which is CUDA, too. Each statement has several forms
 * in C.
 *
 * In a kernel: t is the thread, w global memory, s words for locks, acc a value of the thread's own. D before a
 * statement is SIMT_DIVERGE or nothing. */
#include "lock_program.h"

struct writer {
  const struct lock_program *p;
  FILE *file;
  unsigned kernel;
  char turn[16]; /* the innermost loop's counter */
};

static void write_list(const struct writer *w, unsigned node);

static void write_change(const struct writer *w, const struct lock_node *n)
{
  static const char *const forms[] = {"w[DATA + %u] += x;", "w[DATA + %u] ^= x;", "w[DATA + %u] |= x;",
                                      "if (w[DATA + %u] < x)\nw[DATA + %u] = x;"};
  fprintf(w->file, "{\nconst unsigned x = %uu + %uu * t + %s;\n", n->value, n->b, w->turn);
  if (w->p->operation[n->a] == LOCK_MAX)
    fprintf(w->file, "D ");
  fprintf(w->file, forms[w->p->operation[n->a]], n->a, n->a);
  fprintf(w->file, "\n}\n");
}

/* Waits until the thread has the lock; `id` makes names. */
static void write_take(const struct writer *w, unsigned lock, unsigned id, unsigned variant)
{
  if (w->p->form[lock] == LOCK_TICKET) {
    fprintf(w->file, "const unsigned ticket%u = (unsigned)atomicAdd((int *)&s[TICKET + %u], 1);\n", id, lock);
    fprintf(w->file,
            variant % 2 ? "D for (;;)\nif (s[SERVED + %u] == ticket%u)\nbreak;\n"
                        : "D while (s[SERVED + %u] != ticket%u)\n;\n",
            lock, id);
    return;
  }
  static const char *const forms[] = {"D while (atomicExch((int *)&s[%u], 1) != 0)\n;\n",
                                      "D while (s[%u] != 0 || atomicExch((int *)&s[%u], 1) != 0)\n;\n",
                                      "D for (;;)\nif (atomicExch((int *)&s[%u], 1) == 0)\nbreak;\n"};
  fprintf(w->file, forms[variant % 3], lock, lock);
}

static void write_release(const struct writer *w, unsigned lock, unsigned id, unsigned variant)
{
  if (w->p->form[lock] == LOCK_TICKET)
    fprintf(w->file, "FENCE;\ns[SERVED + %u] = ticket%u + 1;\n", lock, id);
  else
    fprintf(w->file, variant / 3 % 2 ? "FENCE;\ns[%u] = 0;\n" : "FENCE;\natomicExch((int *)&s[%u], 0);\n", lock);
}

/* The section is inside of the loop that tries. */
static void write_try(const struct writer *w, const struct lock_node *n, unsigned id)
{
  static const char *const heads[] = {"int done%u = 0;\nD while (!done%u)\n", "int done%u = 0;\nD do {\n",
                                      "D for (;;)\n"};
  static const char *const tails[] = {"done%u = 1;\n}\n", "done%u = 1;\n}\n} while (!done%u);\n", "break;\n}\n"};
  const unsigned v = n->variant % 3;
  if (w->p->form[n->a] == LOCK_TICKET)
    fprintf(w->file, "const unsigned ticket%u = (unsigned)atomicAdd((int *)&s[TICKET + %u], 1);\n", id, n->a);
  fprintf(w->file, heads[v], id, id);
  fprintf(w->file, "%s", v == 2 ? "" : "D ");
  if (w->p->form[n->a] == LOCK_TICKET)
    fprintf(w->file, "if (s[SERVED + %u] == ticket%u) {\n", n->a, id);
  else
    fprintf(w->file, "if (atomicExch((int *)&s[%u], 1) == 0) {\n", n->a);
  write_list(w, n->body);
  write_release(w, n->a, id, n->variant);
  fprintf(w->file, tails[v], id, id);
}

static void write_section(const struct writer *w, const struct lock_node *n, unsigned id)
{
  fprintf(w->file, "{\n");
  if (w->p->form[n->a] == LOCK_TRY || (w->p->form[n->a] == LOCK_TICKET && n->variant > 7)) {
    write_try(w, n, id);
  } else {
    write_take(w, n->a, id, n->variant);
    write_list(w, n->body);
    write_release(w, n->a, id, n->variant);
  }
  fprintf(w->file, "}\n");
}

static void write_hands(const struct writer *w, const struct lock_node *n, unsigned id)
{
  unsigned one = n->body;
  fprintf(w->file, "{\n");
  for (unsigned i = 0; i <= n->b; i++, one = w->p->node[one].next) {
    write_take(w, n->a + i, 10 * id + i, n->variant);
    if (i > 0)
      write_release(w, n->a + i - 1, 10 * id + i - 1, n->variant);
    write_change(w, &w->p->node[one]);
  }
  write_release(w, n->a + n->b, 10 * id + n->b, n->variant);
  fprintf(w->file, "}\n");
}

static void write_if(const struct writer *w, const struct lock_node *n)
{
  static const char *const conditions[] = {"t %% 2 == 1", "t %% 3 == 1", "t <= %uu", "(t & 4) != 0", "t == %uu"};
  fprintf(w->file, "D if (");
  if (n->a == LOCK_TURN)
    fprintf(w->file, "(t + %s) %% 2 == 0", w->turn);
  else
    fprintf(w->file, conditions[n->a], n->b);
  fprintf(w->file, ") {\n");
  write_list(w, n->body);
  if (n->other != 0) {
    fprintf(w->file, "} else {\n");
    write_list(w, n->other);
  }
  fprintf(w->file, "}\n");
}

static void write_for(const struct writer *w, const struct lock_node *n, unsigned id)
{
  struct writer inner = *w;
  snprintf(inner.turn, sizeof inner.turn, "i%u", id);
  fprintf(w->file, "D for (unsigned i%u = 0; i%u < %s%uu; i%u++) {\n", id, id, n->a ? "1 + t % " : "", n->b, id);
  write_list(&inner, n->body);
  fprintf(w->file, "}\n");
}

static void write_flag(const struct writer *w, const struct lock_node *n)
{
  const char *waits =
      n->variant % 3 == 2 ? "D while (t != %uu && s[FLAG + %u] == 0)\n;\n" : "D while (s[FLAG + %u] == 0)\n;\n";
  if (n->variant % 3 == 2)
    fprintf(w->file, waits, n->b, n->a);
  fprintf(w->file, "D if (t == %uu) {\nw[FLAGGED + %u] = %uu;\nFENCE;\ns[FLAG + %u] = 1;\n}\n", n->b, n->a, n->value,
          n->a);
  if (n->variant % 3 == 1)
    fprintf(w->file, "else\n");
  if (n->variant % 3 != 2)
    fprintf(w->file, waits, n->a);
  fprintf(w->file, "acc = 5 * acc + w[FLAGGED + %u];\n", n->a);
}

static void write_meet(const struct writer *w, const struct lock_node *n, unsigned id)
{
  fprintf(w->file, "FENCE;\nconst unsigned all%u = ((unsigned)atomicAdd((int *)&s[MET + %u], 1) / %uu + 1) * %uu;\n",
          id, n->a, n->b, n->b);
  fprintf(w->file, "D while (s[MET + %u] < all%u)\n;\n", n->a, id);
}

static void write_list(const struct writer *w, unsigned node)
{
  for (unsigned id = node; id != 0; id = w->p->node[id].next) {
    const struct lock_node *n = &w->p->node[id];
    switch (n->kind) {
    case LOCK_CHANGE: write_change(w, n); break;
    case LOCK_MIX: fprintf(w->file, "acc = 5 * acc + %u;\n", n->value); break;
    case LOCK_SECTION: write_section(w, n, id); break;
    case LOCK_HANDS: write_hands(w, n, id); break;
    case LOCK_IF: write_if(w, n); break;
    case LOCK_FOR: write_for(w, n, id); break;
    case LOCK_CALL: fprintf(w->file, "acc = f%u_%u(w, s, t, %s, acc);\n", w->kernel, n->a, w->turn); break;
    case LOCK_MEET: write_meet(w, n, id); break;
    case LOCK_BARRIER: fprintf(w->file, "simt_barrier();\n"); break;
    case LOCK_FLAG: write_flag(w, n); break;
    }
  }
}

void lock_write(const struct lock_program *program, unsigned number, FILE *file)
{
  const char *const parameters = "(volatile unsigned *w, volatile unsigned *s, unsigned t, unsigned i, unsigned acc)";
  const struct writer w = {.p = program, .file = file, .kernel = number, .turn = "i"};
  for (unsigned f = 0; f < program->functions; f++)
    fprintf(file, "static __attribute__((noinline)) DEVICE unsigned f%u_%u%s;\n", number, f, parameters);
  for (unsigned f = program->functions; f-- > 0;) {
    fprintf(file, "static DEVICE unsigned f%u_%u%s\n{\n(void)w, (void)s, (void)t, (void)i;\n", number, f, parameters);
    write_list(&w, program->function[f]);
    fprintf(file, "return acc;\n}\n");
  }
  fprintf(file, "SIMT_KERNEL(k%u, (volatile unsigned *, w))\n{\nBEGIN;\n", number);
  if (program->threads < program->block)
    fprintf(file, "D if (t < %uu) {\n", program->threads);
  write_list(&w, program->body);
  fprintf(file, "w[OUT + t] = acc;\n%s}\n", program->threads < program->block ? "}\n" : "");
}
