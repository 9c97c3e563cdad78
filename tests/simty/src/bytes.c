/* Loads and stores of bytes and half words, signed and unsigned, at addresses that share words between lanes. */
void work(unsigned hart, unsigned *out)
{
  volatile unsigned char *b = (unsigned char *)out;
  volatile signed char *s = (signed char *)out;
  volatile unsigned short *h = (unsigned short *)out;
  b[0] = (unsigned char)(hart + 200);
  b[1] = (unsigned char)~hart;
  h[1] = (unsigned short)(b[0] << 8 | b[1]);
  out[1] = (unsigned)(int)s[0];
  out[2] = (unsigned)(int)*(volatile short *)(out) + h[1];
  *(volatile unsigned char *)(0x90000 + hart) = (unsigned char)(s[1] + 1);
  out[3] = *(volatile unsigned char *)(0x90000 + hart);
}
