# Every variant of the kernels of bench-vortex passes its own check on every machine with the features that it needs.
. "$(dirname "$0")/_lib.sh"

# check MACHINE FORM OPTION...: all kernels of a variant, timed and functional.
check() {
  machine=$1 form=$2
  shift 2
  for elf in "$BUILD"/bench-vortex/*-"$form".elf; do
    name=$(basename "$elf" "-$form.elf")
    case $name in
    gcn_aggr) size=cora ;;
    conv2d) size=2 ;;
    *)
      size=5
      ! brief || size=2
      ;;
    esac
    modes="cycles --fast"
    # Another layout of the same kernel.
    ! brief || [ "$name" != sgemv_rows ] || [ "$machine" = vortex-simx-cfm-dmsl ] || continue
    # gcn_aggr takes nine tenths of the time; its smallest graph has 2,708 nodes.
    if brief && [ "$name" = gcn_aggr ]; then
      case $machine,$form in
      vortex-cfm,cfm) modes=cycles ;;
      vortex,unroll4) modes=--fast ;;
      *) continue ;;
      esac
    fi
    for fast in $modes; do
      [ "$fast" = --fast ] || fast=
      expect 0 "$SIMTLAB" run -q $fast -m "$machine" "$@" "$elf" $size
      prints "$name $form: size "
      prints ": passed"
    done
  done
}

# In slow builds, extensions that a program does not use are tested once.
machines="vortex-simx vortex-cfm vortex-cfm-dmsl vortex-simx-cfm vortex-simx-cfm-dmsl"
! brief || machines=vortex-simx
for form in predicated plain unroll4 unroll8; do
  check vortex $form --set atomics=true
  for machine in $machines; do
    check $machine $form
  done
done
! brief || check vortex-cfm-dmsl plain
for machine in vortex-cfm vortex-cfm-dmsl vortex-simx-cfm vortex-simx-cfm-dmsl; do
  check $machine cfm
done
for machine in vortex-cfm-dmsl vortex-simx-cfm-dmsl; do
  check $machine cfm-dmsl
done
check vortex-simx-cfm-dmsl cfm-dmsl-sums2
# Other shapes, ports and credits.
check vortex-simx-cfm-dmsl cfm-dmsl --set warps=4 --set lanes=32 --set dcache.ports=1
check vortex predicated --set warps=4 --set lanes=32
check vortex-simx-cfm-dmsl cfm-dmsl --set cores=2 --set streams.credits=1
check vortex-cfm-dmsl cfm-dmsl --set lanes=8 --set dcache.ports=2 --set streams.credits=2
[ "$(ls "$BUILD"/bench-vortex/*.elf | wc -l)" -eq 48 ] || complain "there are not 48 programs"
finish
