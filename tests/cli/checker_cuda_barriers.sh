# The checker in CUDA programs: barriers and masks that not all lanes reach, and memory that nothing has written.
. "$(dirname "$0")/_checked.sh"

checked barrier_divergent barrier_loop mask_names_others mask_branches_ok uninitialised_global
finish
