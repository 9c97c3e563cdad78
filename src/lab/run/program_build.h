/* Programs that a study builds. A file FILE.built beside the program's file has the hash of what made it: the build
 * command, its inputs, and the simulator, whose compilers it may use; and the end of what the command printed. */
#ifndef SL_LAB_RUN_PROGRAM_BUILD_H
#define SL_LAB_RUN_PROGRAM_BUILD_H

#include "lab/study/study.h"

/* Whether the program's file is up to date; then *printed is what the command printed, which the caller frees. */
bool sl_program_is_built(const struct sl_study_program *program, const char *simulator, char **printed);

/* Runs the build command in the study's folder. An error names the program, and has the end of the output. */
enum sl_status sl_program_build(const struct sl_study *study, size_t program, const char *simulator,
                                struct sl_error *err);

#endif
