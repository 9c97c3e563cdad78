/* What this command says of itself in results (observe/provenance.h) and with --version. */
#ifndef SL_CLI_PROVENANCE_H
#define SL_CLI_PROVENANCE_H

#include "observe/provenance.h"

/* The date is that of SOURCE_DATE_EPOCH if it is set, so that results can be made again bit for bit. */
struct sl_provenance sl_provenance(void);

#endif
