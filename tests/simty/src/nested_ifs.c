/* Conditions within conditions, which lanes take differently. */
void work(unsigned hart, unsigned *out)
{
  unsigned x = hart;
  for (unsigned i = 0; i < 8; i++) {
    if (x & 1) {
      if (x & 2) {
        x = x + x + 3;
      } else {
        x ^= 0x55;
        if (x & 4 || (x >> 3) == i)
          x += 7;
      }
    } else if (x & 8) {
      x -= i;
    } else {
      x = (x >> 1) + 100;
    }
    out[0] += x;
  }
  out[1] = x;
}
