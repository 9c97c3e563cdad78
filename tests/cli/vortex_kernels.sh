# The recorded kernels of Vortex compute the same checksums as a host program; they print them on the console.
. "$(dirname "$0")/_lib.sh"

for elf in "$BUILD"/reference/vortex/*_chk.elf; do
  name=$(basename "$elf" _chk.elf)
  kernel=${name%_*} size=${name##*_}
  # One size of each kernel.
  if brief; then
    case $name in
    *_8192 | *_512 | saxpy_4096 | reduce_4096 | vecadd_1024 | sgemm_32 | transpose*_64 | divhash_1024 | sqrtdiv_1024 | stride_1024) continue ;;
    esac
  fi
  sum=$("$BUILD/reference/vortex_data" "${kernel%_stack}" "$size" checksum)
  for mode in "" --fast; do
    expect 0 "$SIMTLAB" run --machine vortex $mode "$elf"
    prints "#0: $sum"
  done
done
[ "$name" = vecadd_4096 ] || complain "the last kernel is $name"
finish
