/* What this command says of itself in results (observe/report.h) and with --version. */
#ifndef SL_CLI_HELP_PROVENANCE_H
#define SL_CLI_HELP_PROVENANCE_H

#include "observe/report.h"

/* The date is that of SOURCE_DATE_EPOCH if it is set, so that results can be made again bit for bit. */
struct sl_provenance sl_provenance(void);

#endif
