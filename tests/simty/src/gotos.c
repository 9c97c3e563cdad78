/* Jumps into and out of loops, with a trip count of each lane's own. */
void work(unsigned hart, unsigned *out)
{
  unsigned i = 0, sum = hart, n = (hart & 15) + 1;
  if (hart & 1)
    goto inside;
  if (hart & 2)
    goto late;
again:
  for (i = 0; i < n; i++) {
    sum += i;
  inside:
    if ((sum & 7) == 5)
      goto out;
    sum += 3;
  late:
    if ((sum ^ i) & 16)
      continue;
    sum ^= i << 2;
  }
  out[2] = sum;
  n--;
  if (n > 2)
    goto again;
out:
  out[0] = sum;
  out[1] = i;
  if (n > 8 && sum < 5000) {
    sum += 1000;
    n -= 3;
    goto late;
  }
  out[3] = n;
}
