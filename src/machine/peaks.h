/* What a machine does in a cycle at most, as its keys have it: the roofs of a roofline (S. Williams et al., "Roofline:
 * an insightful visual performance model", CACM 52(4), 2009). */
#ifndef SL_MACHINE_PEAKS_H
#define SL_MACHINE_PEAKS_H

struct sl_peak {
  double per_cycle; /* 0: there is no such thing */
  const char *keys; /* what it follows from: "4 x scratchpad.banks" */
};

struct sl_peaks {
  struct sl_peak operations; /* instructions of threads, whatever they do */
  struct sl_peak dram;       /* bytes */
  struct sl_peak scratchpad; /* bytes, in words */
  /* Memory traffic is what the machine's counters of this role (enum sl_counter_role) count, of so many bytes each. */
  int traffic_role;
  unsigned traffic_bytes;
};

#endif
