# The checker in CUDA programs: what orders blocks, asynchronous copies, volatile accesses and streams.
. "$(dirname "$0")/_checked.sh"

checked last_block_no_fence last_block_ok async_no_wait async_stages_ok volatile_data volatile_flags_ok streams_apart \
  streams_copy streams_ok streams_destroyed streams_destroyed_ok \
  volatile_values volatile_values_of_warp volatile_equal_values_ok volatile_ticket_ok bytes_cas_in_word_ok halves_cas_ok
finish
