/* Peak rates of a machine per cycle, derived from its keys: the roofs of a roofline (S. Williams et al., "Roofline: an
 * insightful visual performance model", CACM 52(4), 2009). */
#ifndef SL_MACHINE_PEAKS_H
#define SL_MACHINE_PEAKS_H

struct sl_peak {
  double per_cycle; /* 0: not applicable */
  const char *keys; /* the keys it follows from: "4 x scratchpad.banks" */
};

struct sl_peaks {
  struct sl_peak operations; /* thread instructions of any kind */
  struct sl_peak dram;       /* bytes */
  struct sl_peak scratchpad; /* bytes, in words */
  /* Memory traffic: the machine's counters of this role (enum sl_counter_role), times these bytes per count. */
  int traffic_role;
  unsigned traffic_bytes;
};

#endif
