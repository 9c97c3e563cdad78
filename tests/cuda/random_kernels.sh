#!/bin/sh
# Random CUDA kernels against the host: random_kernels.sh COUNT [SEED]. SIMTLAB is the command. Programs of 25 kernels
# each run fast and, every tenth one, timed.
set -u
count=$1
seed=${2:-1}
folder=$(cd "$(dirname "$0")" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
done=0
while [ "$done" -lt "$count" ]; do
  batch=$((count - done < 25 ? count - done : 25))
  "${PYTHON:-python3}" "$folder/random_kernels.py" "$seed" "$batch" >"$work/r.cu" &&
    "$SIMTLAB" cuda -O1 -w -o "$work/r" "$work/r.cu" || { echo "seed $seed does not compile"; exit 1; }
  for mode in fast timed; do
    [ $mode = timed ] && [ $((done / 25 % 10)) -ne 0 ] && continue
    if ! SIMTLAB_CUDA_MODE=$mode "$work/r" >"$work/out" 2>&1; then
      echo "seed $seed, $mode:"
      head -5 "$work/out"
      status=1
    fi
  done
  done=$((done + batch))
  seed=$((seed + 1))
done
echo "$count random kernels$([ $status -eq 0 ] && echo ': all equal')"
exit $status
