# Kernels of bench-r2d2: PTX and RISC-V give the same results. Each linear instruction of PTX computes the value of its
# vector, and many instructions are linear. Variants with linear registers give the same results, too.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
kernels=0
for launch in "$BUILD"/bench-r2d2/*.launch; do
  name=$(basename "$launch" .launch)
  case $name in *-elf) continue ;; esac
  expect 0 "$SIMTLAB" linear --check "$launch"
  tr '\n' ' ' <out | tr -s ' ' >line
  has line ", 0 differ"
  for form in ptx elf; do
    expect 0 "$SIMTLAB" linear --brief --json "$name.json" "$BUILD/bench-r2d2/$name.$form"
    grep -q 'is kept unchanged' out && complain "$name.$form cannot be analysed"
    python3 -c '
import json, sys
for k in json.load(open(sys.argv[1]))["kernels"]:
  print(sys.argv[2], k["linear"] / k["reached"], (k["gone"] - k["added"]) / k["reached"], len(k["registers"]["lr"]))
' "$name.json" "$form" >>figures
  done
  # With linear registers it leaves the same memory.
  expect 0 "$SIMTLAB" linear -b -o "$name.ptx" "$BUILD/bench-r2d2/$name.ptx"
  cp "$launch" .
  expect 0 "$SIMTLAB" run -q --fast "$launch"
  mv out wanted
  # It makes every access of the original kernel.
  expect 0 "$SIMTLAB" run -q --fast -m sm7 --set r2d2=on --set r2d2.shadow=on "$name.launch"
  cmp -s wanted out || complain "memory differs"
  brief || expect 0 "$SIMTLAB" run -q -m sm7-r2d2 --set r2d2.shadow=on "$name.launch"
  cmp -s wanted out || complain "memory differs"
  # The same in RISC-V.
  expect 0 "$SIMTLAB" linear -b -o "$name.elf" "$BUILD/bench-r2d2/$name.elf"
  cp "$BUILD/bench-r2d2/$name-elf.launch" .
  expect 0 "$SIMTLAB" run -q --fast -m sm7-r2d2 --set clusters=1 "$name-elf.launch"
  cmp -s wanted out || complain "memory differs from that of PTX"
  if ! brief; then
    expect 0 "$SIMTLAB" run -q -m sm7-4 "$BUILD/bench-r2d2/$name-elf.launch"
    cmp -s wanted out || complain "memory differs from that of PTX"
    expect 0 "$SIMTLAB" run -q -m sm7-r2d2 --set clusters=1 "$name-elf.launch"
    cmp -s wanted out || complain "memory differs from that of PTX"
  fi
  # Large data too.
  if ! brief; then
    mkdir -p large
    cp "$BUILD/bench-r2d2/large/$name.launch" large
    expect 0 "$SIMTLAB" run -q --fast "$BUILD/bench-r2d2/large/$name.launch"
    mv out wanted
    expect 0 "$SIMTLAB" run -q --fast -m sm7 --set r2d2=on "large/$name.launch"
    cmp -s wanted out || complain "memory differs with large data"
  fi
  kernels=$((kernels + 1))
done
# Many accesses in flight: as many as collectors and sums can hold.
expect 0 "$SIMTLAB" run -q -m sm7-r2d2 --set clusters=1 --set collectors=32 gaussian.launch
[ "$kernels" -ge 20 ] || complain "only $kernels programs"
# Similar kernels of the published suites have about the same fraction: about half of the instructions are linear.
python3 - <<'P' || complain "too few instructions are linear, or they need too many registers"
rows = [line.split() for line in open("figures")]
for form in "ptx", "elf":
  share = [float(r[1]) for r in rows if r[0] == form]
  net = [float(r[2]) for r in rows if r[0] == form]
  print(form, "linear %.1f %%, net %.1f %%" % (100 * sum(share) / len(share), 100 * sum(net) / len(net)))
  assert sum(share) / len(share) > 0.4 and max(int(r[3]) for r in rows) <= 16
P
finish
