# The checker in CUDA programs: barriers that not all threads reach, and memory that nothing has written.
. "$(dirname "$0")/_checked.sh"

checked barrier_divergent barrier_in_branches_of_warp barrier_in_switch barrier_in_function barrier_loop uninitialised_global
finish
