# Helpers for the scripts of this folder. doc_commands COMMAND DATA runs every command that the README and the pages of
# docs/ show, with the programs and records in the folder DATA and no other files of a build or source tree. SOURCE has
# the pages. Exit statuses and output must equal those that the pages show. Long simulations are reduced to one
# benchmark or a small size.

# The expected exit status of a command, or "skipped" for commands of other tools.
wanted_status() {
  case $1 in
  'sudo '* | 'gdb-multiarch '* | 'simtlab cuda '* | 'SIMTLAB_CUDA_CHECK='* | 'OCL_ICD_VENDORS='* | 'SIMTLAB_OPENCL_DEVICES='*) echo skipped ;;
  *smooth.* | *saxpy.sym* | 'simtlab check -m sm7 kernel.launch '* | 'simtlab check ./program '* | 'simtlab cl '*) echo skipped ;; # tests/cli/gdb_*.sh and checker_*.sh
  # Programs of the host: tests/cli/{checker,trace,gdb}_*.sh build and run them.
  'simtlab check program.cu '* | 'simtlab check --build '* | 'simtlab gdb --port '*' ./add' | 'simtlab gdb -m '*' ./halve') echo skipped ;;
  'simtlab trace '*'.cu' | 'simtlab trace '*'.cu '* | 'simtlab trace '*' ./reduce'*) echo skipped ;;
  'meson '*) command -v meson >/dev/null && echo 0 || echo skipped ;;
  'clang-19 '*) command -v ld.lld-19 >/dev/null && echo 0 || echo skipped ;;
  'make saxpy.elf' | 'sed '* | 'cmake '*' --toolchain '* | 'cmake --build out' | 'ctest '*) echo 0 ;;
  'apt '* | 'git '* | 'cd '* | make | 'make '* | 'cmake '* | 'podman '* | 'xdg-open '* | 'jq '* | 'SIMTLAB_MACHINES='* | 'echo $?') echo skipped ;;
  *'sweep --slurm '*) echo skipped ;;
  *'simtlab run -q bad.elf') echo 3 ;;
  'simtlab run -m slow.yaml '* | 'simtlab run --set dram.latncy='*) echo 2 ;;
  'simtlab explain dram.beats '*) echo 2 ;;
  *'simtlab diff-commits '* | *' --set cache.fill_bubble=0') echo 1 ;;
  *'paper isa64') command -v llc-19 >/dev/null && echo 0 || echo skipped ;;
  'simtlab '* | 'COLUMNS=120 simtlab '* | 'build/simtlab '*) echo 0 ;;
  *) echo unknown ;;
  esac
}

cut_down() {
  case $1 in
  *'bench --size paper --variants') echo "${1%% --size*} --variants" ;;
  *'bench --size paper') echo "$1 --only VecAdd" ;;
  *'paper simtight' | *'paper simtight --sample auto') echo "$1 --size small --only VecAdd" ;;
  *'paper cfm-dmsl') echo "$1 --size small --only saxpy" ;;
  *'paper isa64') echo "$1 --size small --only vecadd" ;;
  *'simtlab silicon' | *'silicon --set banks=8 --json banks.json') echo "$1 --only srad*" ;;
  *'paper r2d2') echo "$1 --size small --only stencil" ;;
  *) echo "$1" ;;
  esac
}

# block PAGE LANGUAGE NUMBER: prints a code block of the page.
block() {
  awk -v start="\`\`\`$2" -v wanted="$3" '
    $0 == start { inside = ++n == wanted; next } /^```/ { inside = 0 } inside' "$SOURCE/$1"
}

# The files that the pages assume by then.
prepare() {
  block README.md c 1 >saxpy.c
  sed 's/\.y = y/.y = 0/' saxpy.c >bad.c
  block docs/how-to/kernels.md c 1 >scale.c
  block docs/how-to/kernels.md cpp 1 >map.cc
  block docs/explanation/energy.md yaml 1 >mine.yaml
  block docs/reference/commands.md yaml 1 | sed 's/latency: 100/latency: 0/' >slow.yaml
  block docs/how-to/own-machine.md yaml 1 >slow-memory.yaml
  block docs/how-to/studies.md yaml 1 >lanes.yaml
  block docs/tutorial/first-profile.md c 1 >rows.c
  block docs/how-to/ptx.md cuda 1 >scale.cu
  block docs/how-to/ptx.md text 1 >scale.launch
  block docs/how-to/building.md make 1 >Makefile
  block docs/how-to/building.md cmake 1 >CMakeLists.txt
  block docs/how-to/building.md meson 1 >meson.build
  ln -s "$SOURCE/bench-vortex" bench-vortex
  ln -s "$SOURCE/bench" bench
  cp scale.c prog.c
  cp build/bench/VecAdd.elf .
  cp saxpy.c kernel.c
  cp build/bench/MatMul.elf matmul.elf
  cp build/bench-r2d2/atax.launch build/bench-r2d2/atax.ptx .
  build/simtlab cc -o old.elf saxpy.c && cp old.elf new.elf
  build/simtlab cc -g -o kernel.elf kernel.c
  build/simtlab cc -o bad.elf bad.c && build/simtlab cc -o saxpy.elf saxpy.c && build/simtlab cc -o prog.elf prog.c
  # docs/how-to/golden-model.md uses another size. Our trace stands for an RTL's: sorted by warp, with one lane's value
  # changed.
  sed 's/N = 10000/N = 64/; s/= 1;/= 100;/; s/i + 1;/i + 100;/; s/dim3(16), dim3(128)/dim3(2), dim3(32)/' saxpy.c >small.c
  build/simtlab cc -o small.elf small.c
  build/simtlab run -q -s lanes=8 -s warps=4 --trace-commits small.trace small.elf >small.out
  { head -n 1 small.trace && grep '^launch' small.trace | head -n 1; } >rtl.log
  sed -i '1s/commits 2/commits 1/' rtl.log
  grep -v '^#\|^launch' small.trace | sort -s -n -k 2,2 | awk '{ $1 = NR; print }' |
    sed '/a3=00000090,/s/0000009f/0000009e/' >>rtl.log
}

# From a page: a line "$ COMMAND" for each command, continued lines joined, and after it "> LINE" for each line shown.
shown() {
  awk '/^```/ { inside = !inside; seen = 0; next }
    !inside { next }
    more { sub(/^ */, " "); line = line $0; more = sub(/ *\\$/, "", line); if (!more) print line; next }
    /^\$ / { seen = 1; line = $0; more = sub(/ *\\$/, "", line); if (!more) print line; next }
    seen { print "> " $0 }' "$1"
}

doc_commands() (
  set -eu
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  mkdir "$folder/build"
  for part in bench bench-rv32e bench-on-vortex bench-on-sm7 bench-vortex bench-r2d2 bench-isa64 cmake reference runtime studies; do
    ln -s "$2/$part" "$folder/build/$part"
  done
  ln -s "$1" "$folder/build/simtlab"
  PATH=$folder/build:$PATH
  # Cross files of an installation; those of the sources are where Meson looks for them, too.
  mkdir -p "$folder/share/meson"
  ln -s "$SOURCE/cmake" "$folder/share/meson/cross"
  export XDG_DATA_DIRS="$folder/share"
  cd "$folder"
  prepare
  ran=0 failed=0 status=skipped
  fail() {
    echo "FAILED: $page: $command: $*" >&2
    failed=$((failed + 1))
  }
  for page in README.md $(cd "$SOURCE" && find docs -name "*.md" | sort) also; do
    if [ "$page" = also ]; then # named in sentences, and the suites that the pages speak of
      grep -oE '`simtlab (verify|bench) [^`]*`' "$SOURCE/docs/results/README.md" | grep -v 'sm7\|--speed' |
        sed 's/`\(.*\)`/$ \1/' | sort -u >commands
      printf '$ build/simtlab bench -m vortex\n$ build/simtlab bench --only VecAdd --rv32e\n' >>commands
    else
      shown "$SOURCE/$page" >commands
    fi
    while read -r kind command <&3; do
      if [ "$kind" = '$' ]; then
        status=$(wanted_status "$command")
        [ "$status" != unknown ] || fail "the test does not know what it should do"
        case $status in skipped | unknown) status=skipped; continue ;; esac
        ran=$((ran + 1)) got=0 shown_command=$command
        sh -c "$(cut_down "$command")" >output 2>&1 </dev/null || got=$?
        [ "$got" -eq "$status" ] || { fail "exit status $got instead of $status"; tail -n 3 output >&2; }
      elif [ "$status" != skipped ]; then
        case "$shown_command $command" in
        *' host: '* | *...*) ;;
        *)
          words=$(echo "$command" | tr -s ' ')
          tr -s ' ' <output | grep -qF -e "$words" || fail "is not printed by $shown_command"
          ;;
        esac
      fi
    done 3<commands
  done
  [ "$ran" -ge 30 ] || { echo "only $ran commands are shown: the test does not see them" >&2; exit 1; }
  echo "$ran commands of the pages, $failed failures"
  [ "$failed" -eq 0 ]
)
