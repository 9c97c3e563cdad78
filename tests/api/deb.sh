#!/bin/sh
# make deb makes five packages that lintian accepts. The command's package alone runs every command of the pages. In a
# root with only the packages' dependencies the command runs, and programs compile with the libraries.
set -eu
here=$(dirname "$0")
. "$here/_doc_commands.sh"
. "$here/_clean_root.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$SOURCE/tools/deb.sh" "$BUILD" "$work" >"$work/files"
command=$(ls "$work"/simtlab_*.deb) library=$(ls "$work"/libsimtlab0_*.deb) development=$(ls "$work"/libsimtlab-dev_*.deb)
python=$(ls "$work"/python3-simtlab_*_all.deb)
[ "$(wc -l <"$work/files")" -eq "$(find "$work" -name "*.deb" | wc -l)" ]
if command -v lintian >/dev/null; then
  lintian --allow-root --fail-on error,warning "$work"/*.deb 2>"$work/complaints" ||
    { cat "$work/complaints" >&2; exit 1; }
fi

dpkg-deb --extract "$command" "$work/unpacked"
for file in man/man1/simtlab.1.gz man/man1/simtlab-run.1.gz bash-completion/completions/simtlab \
  zsh/vendor-completions/_simtlab fish/vendor_completions.d/simtlab.fish; do
  [ -s "$work/unpacked/usr/share/$file" ] || { echo "the package lacks $file" >&2; exit 1; }
done
doc_commands "$work/unpacked/usr/bin/simtlab" "$work/unpacked/usr/share/simtlab"

if ! can_enter "$work"; then
  echo "not tested: this user cannot change the root of all files here, so there is no clean one"
  exit 0
fi
install_into() {
  root=$1
  shift
  dpkg --force-not-root --root="$root" --log=/dev/null -i "$@" >"$work/log" 2>&1
}

clean_root "$work/command" dash coreutils sed grep mawk libelf1 libdw1 libyaml-0-2 libjansson4 libzstd1 libxxhash0 libsqlite3-0 libdeflate0
install_into "$work/command" "$command" || { cat "$work/log" >&2; exit 1; }
within "$work/command" simtlab bench --only VecAdd >/dev/null
within "$work/command" simtlab bench -m vortex-cfm --only saxpy-cfm >/dev/null
within "$work/command" simtlab verify simtight --only 'empty_*' >/dev/null
[ -z "$(find "$work/command/usr/lib" -name "*.a")" ]
# A study of a user, and one that the package has; their commands need only what every Debian has.
ln -s mawk "$work/command/usr/bin/awk" # as update-alternatives does
mkdir "$work/command/study"
cat >"$work/command/study/lanes.yaml" <<'END'
study: lanes
about: How many lanes pay off.
machines: [simtight, simty-plus]
keys: {lanes: [8, 16]}
programs: [{elf: /usr/share/simtlab/bench/VecAdd.elf, sizes: small}]
metrics: {ipc: thread_instrs / cycles}
report: {charts: [{chart: bars, x: lanes, y: ipc, colour: machine}]}
END
cat >"$work/command/study/all.sh" <<'END'
set -e
cd /study
simtlab sweep -q lanes.yaml
simtlab query results/lanes.db --by machine,lanes --metric ipc --format csv >query.csv
simtlab sweep lanes.yaml | grep -q '4 were recorded before'
[ ! -d /usr/share/simtlab/charts ] || simtlab report lanes.yaml >/dev/null
simtlab paper r2d2 -q --size small --only stencil --out r2d2 >/dev/null
cp -r /usr/share/simtlab/studies /usr/share/simtlab/bench-r2d2 .
simtlab sweep -q --scale small --only lps studies/r2d2.yaml
simtlab report --scale small --only lps studies/r2d2.yaml >/dev/null
END
within "$work/command" sh /study/all.sh
[ "$(wc -l <"$work/command/study/query.csv")" -eq 5 ]
[ ! -d "$work/command/usr/share/simtlab/charts" ] || grep -q 'How many lanes pay off' "$work/command/study/results/lanes.html"
for file in r2d2/summary.csv r2d2/index.html results/r2d2/summary.csv; do
  [ -s "$work/command/study/$file" ] || { echo "a study from the package lacks $file" >&2; exit 1; }
done

needs=$(dpkg-deb --field "$development" Depends | tr -d ' ' | sed 's/libsimtlab0([^)]*),//; s/,/ /g')
# shellcheck disable=SC2086
clean_root "$work/development" dash coreutils sed grep gcc make cmake pkg-config $needs
install_into "$work/development" "$development" && exit 1 # not without libsimtlab0
grep -q 'depends on libsimtlab0' "$work/log"
install_into "$work/development" "$library" "$development" || { cat "$work/log" >&2; exit 1; }
mkdir "$work/development/work"
awk '/^```c$/ { inside = !n++; next } /^```/ { inside = 0 } inside' "$SOURCE/docs/how-to/library.md" \
  >"$work/development/work/example.c"
cp "$work/unpacked/usr/share/simtlab/bench/VecAdd.elf" "$work/development/work/"
cat >"$work/development/work/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(example C)
find_package(simtlab 0.2 REQUIRED COMPONENTS static shared)
foreach(kind static shared)
  add_executable(cmake_\${kind} example.c)
  target_link_libraries(cmake_\${kind} simtlab::\${kind})
endforeach()
END
cat >"$work/development/work/all.sh" <<'END'
set -e
cd /work
gcc example.c $(pkg-config --cflags --libs simtlab) -o with_shared
gcc -static example.c $(pkg-config --static --cflags --libs simtlab) -o with_static
cmake -S . -B build >/dev/null
make -s -C build >/dev/null
for program in ./with_shared ./with_static build/cmake_static build/cmake_shared; do
  $program VecAdd.elf small | grep -q ' cycles$' || { echo "$program does not run"; exit 1; }
done
END
within "$work/development" sh /work/all.sh
echo "packages work: $(tr '\n' ' ' <"$work/files")"
