# The checker in CUDA programs: masks and synchronisation within a warp.
. "$(dirname "$0")/_checked.sh"

checked mask_names_others mask_branches_ok warp_sync_branches_ok warp_sync_branches_loop_ok warp_sync_branches_apart
finish
