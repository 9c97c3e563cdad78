/* Calls through a table, another function in each lane, and of functions that call through it again. */
typedef unsigned function(unsigned x, unsigned depth);
static function first, second, third, fourth;
static function *const table[] = {first, second, third, fourth};

static unsigned first(unsigned x, unsigned depth)
{
  return depth == 0 ? x : table[x >> 2 & 3](x + 1, depth - 1) + 1;
}

static unsigned second(unsigned x, unsigned depth)
{
  return depth == 0 ? x ^ 0xff : table[(x + depth) & 3](x << 1, depth - 1);
}

static unsigned third(unsigned x, unsigned depth)
{
  return x + depth;
}

static unsigned fourth(unsigned x, unsigned depth)
{
  unsigned sum = 0;
  for (unsigned i = 0; i < depth; i++)
    sum += table[i & 1](x + i, i);
  return sum;
}

void work(unsigned hart, unsigned *out)
{
  out[0] = table[hart & 3](hart, 3);
  out[1] = table[hart >> 1 & 3](hart, hart & 3);
}
