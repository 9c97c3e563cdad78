#!/bin/sh
# Shipped files do not contain the names of the source or build folders.
# tools/reproducible.sh compares two whole builds.
set -eu
for file in simtlab libsimtlab.so; do
  for folder in "$SOURCE" "$BUILD"; do
    if grep -aqF -e "$folder/" "$BUILD/$file"; then
      echo "$file contains the name of the folder $folder" >&2
      exit 1
    fi
  done
done
# The test must detect one.
(cd "$SOURCE" && gcc -g -x c -c -o "$BUILD/with_folder.o" - <<END
int one;
END
)
grep -aqF -e "$SOURCE" "$BUILD/with_folder.o"
rm "$BUILD/with_folder.o"
echo "no folder's name"
