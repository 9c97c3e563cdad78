/* Recursion whose depth and shape differ from lane to lane. */
static __attribute__((noinline)) unsigned count(unsigned n, unsigned odd);

static __attribute__((noinline)) unsigned other(unsigned n)
{
  return n == 0 ? 1 : count(n - 1, n & 1) + n;
}

static unsigned count(unsigned n, unsigned odd)
{
  if (n < 2)
    return n + odd;
  if (odd)
    return other(n - 2) + count(n - 1, 0);
  return count(n - 2, 1) ^ (n << 4);
}

void work(unsigned hart, unsigned *out)
{
  out[0] = count((hart & 7), hart & 1);
  out[1] = other((hart & 3) + 2);
}
