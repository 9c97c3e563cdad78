/* A switch that the compiler makes a jump table of, in a loop. */
void work(unsigned hart, unsigned *out)
{
  unsigned x = hart, sum = 0;
  for (unsigned i = 0; i < 12; i++) {
    switch ((x + i) & 15) {
    case 0: sum += 1; break;
    case 1: sum ^= x; break;
    case 2: sum -= 5; /* fall through */
    case 3: sum += i; break;
    case 4: x += 3; break;
    case 5: x ^= 9; /* fall through */
    case 6: sum <<= 1; break;
    case 7: sum >>= 1; break;
    case 8: x = sum; break;
    case 9: goto end;
    case 10: sum += 77; continue;
    case 11: sum |= 4; break;
    case 12: sum &= ~2u; break;
    case 13: x -= sum; break;
    case 14: sum += x >> 3; break;
    default: out[1]++; break;
    }
    x += 5;
  }
end:
  out[0] = sum;
  out[2] = x;
}
