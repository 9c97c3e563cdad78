# The checker in CUDA programs: barriers and masks that not all lanes reach, and memory that nothing has written.
. "$(dirname "$0")/_checked.sh"

checked barrier_divergent barrier_in_branches_of_warp barrier_in_switch barrier_in_function \
  barrier_loop mask_names_others mask_branches_ok \
  warp_sync_branches_ok warp_sync_branches_loop_ok warp_sync_branches_apart uninitialised_global
finish
