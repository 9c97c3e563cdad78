# The checker in programs on graphs, with and without planted bugs.
. "$(dirname "$0")/_checked.sh"

mkdir graphs
count=40
! brief || count=12
expect 0 python3 "$programs/graphs.py" graphs $count
for source in graphs/*.cu; do
  case $source in
  *_racy.cu) status=1 ;;
  *) status=0 ;;
  esac
  expect $status "$SIMTLAB" check -q "$source"
done
finish
