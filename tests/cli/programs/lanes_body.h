// A function of a warp's lanes, for kernels in C and in CUDA, which define the functions of the lanes (cuda/lanes.cu
// and lanes_body.c). Each thread gets WORDS results.
enum { WORDS = 12 };

// The number of the lowest lane of a mask.
LANES_FUNCTION unsigned lanes_first(unsigned mask)
{
  unsigned first = 0;
  for (unsigned width = 16; width > 0; width /= 2) {
    const unsigned none = (mask >> first & ((1u << width) - 1)) == 0;
    first += none * width;
  }
  return first;
}

LANES_FUNCTION void lanes_body(unsigned t, unsigned seed, unsigned *out)
{
  const unsigned value = (t + 1) * 0x9E3779B1u ^ seed, odd = value >> 7 & 1, by = value >> 11 & 15;
  const unsigned odds = LANES_BALLOT(ALL_LANES, odd);
  unsigned turn = 0, sum = 0;
  out[0] = odds;
  out[1] = LANES_ANY(ALL_LANES, value >> 27 == 3) + 2 * LANES_ALL(ALL_LANES, by < 15);
  out[2] = LANES_UP(ALL_LANES, value, 3);
  out[3] = LANES_DOWN(ALL_LANES, value, 5);
  out[4] = LANES_BFLY(ALL_LANES, value, by);
  out[5] = LANES_IDX(ALL_LANES, value, by);
  SIMT_IF(odd)
  {
    out[6] = LANES_BALLOT(odds, value >> 9 & 1);
    out[7] = LANES_ALL(odds, t != 7);
    out[8] = LANES_IDX(odds, value, lanes_first(odds));
  }
  SIMT_ELSE
  {
    out[6] = LANES_BALLOT(~odds, value >> 9 & 1);
    out[7] = LANES_ANY(~odds, t == 2);
    out[8] = LANES_IDX(~odds, value, lanes_first(~odds));
  }
  SIMT_ENDIF
  out[9] = LANES_ALL(ALL_LANES, out[8] != 0);
  SIMT_WHILE(turn < (t & 3) + 1)
  { // lanes 3, 7, ... stay longest
    const unsigned still = turn == 0 ? ALL_LANES : turn == 1 ? 0xEEEEEEEEu : turn == 2 ? 0xCCCCCCCCu : 0x88888888u;
    sum = sum * 31 + LANES_BALLOT(still, value >> turn & 1) + LANES_IDX(still, value, 31 - 4 * turn);
    turn++;
  }
  out[10] = sum;
  out[11] = LANES_BALLOT(ALL_LANES, sum & 1);
}
