/* A set of crossbar ports, such as the clusters that send packets: one bit per port. */
#ifndef SL_MACHINE_SM7_PORTS_H
#define SL_MACHINE_SM7_PORTS_H

#include "base/types.h"

enum { SL_SM7_PORTS = 128, SL_SM7_PORT_WORDS = SL_SM7_PORTS / 64 };

__extension__ typedef unsigned __int128 sl_sm7_ports;

static inline sl_sm7_ports sl_sm7_port(unsigned number)
{
  return (sl_sm7_ports)1 << number;
}

/* The lowest port of a non-empty set. */
static inline unsigned sl_sm7_first_port(sl_sm7_ports set)
{
  const uint64_t low = (uint64_t)set;
  return low != 0 ? sl_lowest(low) : 64 + sl_lowest((uint64_t)(set >> 64));
}

static inline int sl_sm7_count_ports(sl_sm7_ports set)
{
  return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
}

#endif
