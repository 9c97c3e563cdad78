# The code of the notebooks prints what they have.
for python in /usr/bin/python3 python3; do
  ! $python -c 'import cffi, numpy, pandas, matplotlib' 2>/dev/null || break
  python=
done
[ -n "$python" ] || { echo "skipped: python3-cffi, python3-pandas or python3-matplotlib is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$SOURCE/python" SIMTLAB_LIBRARY="$BUILD/libsimtlab.so" SIMTLAB_COMMAND="$BUILD/simtlab"
exec "$python" "$SOURCE/tests/python/notebook.py" "$@" "$SOURCE"/examples/notebooks/*.ipynb
