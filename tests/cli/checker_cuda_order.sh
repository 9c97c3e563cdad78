# The checker in CUDA programs: what orders blocks, asynchronous copies and streams.
. "$(dirname "$0")/_checked.sh"

checked last_block_no_fence last_block_ok async_no_wait async_stages_ok streams_apart streams_copy streams_ok \
  streams_destroyed streams_destroyed_ok streams_free_ok
finish
