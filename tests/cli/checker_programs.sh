# The checker on all wrong programs in C, on the machines that run them.
. "$(dirname "$0")/_checker.sh"

for source in "$programs"/c/*.c; do
  for target in simt sm7; do
    case $target$source in
    # Warps that end are not missing on sm7, and its lanes meet at barriers in several branches.
    sm7*/barrier_in_loop.c | sm7*/barrier_skipped.c | sm7*/barrier_in_lanes.c | sm7*/barrier_one_sided.c) continue ;;
    esac
    expect 0 "$SIMTLAB" cc --target $target -g -o program.elf "$source"
    machines=sm7
    [ $target = sm7 ] || machines="simtight simtight-rfc-pp-sb simty-plus"
    for machine in $machines; do
      expect "$(status "$source" 1)" "$SIMTLAB" check -q -m $machine program.elf
      found "$source"
    done
  done
done
finish
