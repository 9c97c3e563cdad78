# Jupyter executes the notebooks, too.
/usr/bin/python3 -c 'import nbclient, ipykernel' 2>/dev/null ||
  { echo "skipped: python3-nbclient or python3-ipykernel is not installed"; exit 77; }
exec sh "$SOURCE/tests/api/notebooks.sh" --jupyter
