# The checker in CUDA programs: what the optimiser would change, and --checkable keeps.
. "$(dirname "$0")/_checked.sh"

checked bounds_local_loop bounds_local_loop_ok barrier_early_store_ok
finish
