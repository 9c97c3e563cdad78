# The Python package on the library of this build.
for python in /usr/bin/python3 python3; do
  ! $python -c 'import cffi, numpy, pandas' 2>/dev/null || break
  python=
done
[ -n "$python" ] || { echo "skipped: python3-cffi, python3-numpy or python3-pandas is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
exec "$python" "$SOURCE/tests/python/test_simtlab.py"
