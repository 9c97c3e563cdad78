# The checker in CUDA programs: volatile accesses, and bytes that word updates change.
. "$(dirname "$0")/_checked.sh"

checked volatile_data volatile_flags_ok volatile_values volatile_values_of_warp volatile_equal_values_ok \
  volatile_ticket_ok bytes_cas_in_word_ok halves_cas_ok
finish
