#!/bin/sh
# Debian packages of the output of `make`: simtlab (the command with its programs), libsimtlab0 (the shared library) and
# libsimtlab-dev (headers and files for compiling other programs), simtlab-cuda, simtlab-opencl and python3-simtlab.
# Usage: tools/deb.sh BUILD FOLDER. Writes the packages to FOLDER and prints their names.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd -P)
build=$(cd "$1" && pwd -P)
mkdir -p "$2"
out=$(cd "$2" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
architecture=$(dpkg --print-architecture)
maintainer="The simtlab authors <${DEBEMAIL:-simtlab@users.noreply.github.com}>"
libraries="libelf-dev, libdw-dev, libyaml-dev, libjansson-dev, libzstd-dev, libxxhash-dev, libsqlite3-dev, libbz2-dev, liblzma-dev, libdeflate-dev, zlib1g-dev"
compilers="gcc-riscv64-unknown-elf, binutils-riscv64-unknown-elf, picolibc-riscv64-unknown-elf, clang-19, llvm-19"

# Prints the packages, with versions, of the libraries that a package's binaries need.
needed() { # BINARY...
  mkdir -p "$work/debian"
  printf 'Source: simtlab\n\nPackage: simtlab\nArchitecture: any\n' >"$work/debian/control"
  (cd "$work" && dpkg-shlibdeps -O "$@" 2>/dev/null) | sed -n 's/^shlibs:Depends=//p'
}

# package NAME COMPONENT SECTION FIELDS PURPOSE: builds the package staged in $root.
package() {
  doc=$root/usr/share/doc/$1
  mkdir -p "$doc" "$root/DEBIAN"
  cp "$source/LICENSE" "$doc/copyright"
  # The changelog of the packaging; CHANGELOG.md is simtlab's own.
  printf 'simtlab (%s) unstable; urgency=medium\n\n  * %s\n\n -- %s  %s\n' "$version" \
    "Version $version; package simtlab has CHANGELOG.md, which says what changed." "$maintainer" "$(date -R -u ${SOURCE_DATE_EPOCH:+-d "@$SOURCE_DATE_EPOCH"})" |
    gzip -9n >"$doc/changelog.gz"
  chmod -R u+w,go=rX "$root/usr"
  (cd "$root" && find usr -type f -exec md5sum {} + | sort -k 2 >DEBIAN/md5sums)
  cat >"$root/DEBIAN/control" <<END
Package: $1
Source: simtlab
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -k -s "$root/usr" | cut -f1)
Section: $2
Priority: optional
$3
Description: laboratory for RISC-V GPGPUs$4
 simtlab runs compiled kernels on cycle-level models of published RISC-V
 GPGPUs (SIMTight, Simty, Vortex) and tells where every cycle went.
 .
$5
END
  file=$out/${1}_${version}_${architecture}.deb
  dpkg-deb --root-owner-group --build "$root" "$file" >/dev/null
  echo "$file"
}

stage() { # COMPONENT: installs it into $root
  root=$work/$1
  cmake --install "$build" --prefix "$root/usr" --component "$1" --strip >/dev/null
}

stage command
gzip -9n "$root/usr/share/doc/simtlab/CHANGELOG.md"
gzip -9n "$root"/usr/share/man/man1/*.1
# Debian's zsh looks for completions of packages in this folder.
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
# Programs of the simulated machines are data here, with debugging information that profiles need for source lines.
mkdir -p "$root/usr/share/lintian/overrides"
for tag in arch-dependent-file-in-usr-share binary-from-other-architecture statically-linked-binary \
  unstripped-binary-or-object; do
  echo "simtlab: $tag [usr/share/simtlab/*]"
done >"$root/usr/share/lintian/overrides/simtlab"
# Compiling needs more packages than running: the packages that helpers in libexec need are recommended, like the
# compilers.
helpers=$(find "$root/usr/libexec" -type f 2>/dev/null || true)
[ -z "$helpers" ] || compilers="$compilers, $(needed $helpers)"
package simtlab science "Depends: $(needed "$root/usr/bin/simtlab")
Recommends: $compilers" "" \
  " This package has the command, the benchmarks, and recorded runs of the
 published hardware to compare with."

stage library
shared=$(find "$root" -name 'libsimtlab.so.*' -type f)
soname=$(objdump -p "$shared" | sed -n 's/^ *SONAME *libsimtlab\.so\.//p')
mkdir -p "$root/DEBIAN"
echo "libsimtlab $soname libsimtlab$soname (>= $version)" >"$root/DEBIAN/shlibs"
echo "activate-noawait ldconfig" >"$root/DEBIAN/triggers"
chmod 644 "$shared"
package "libsimtlab$soname" libs "Depends: $(needed "$shared")" " (shared library)" " This package has the shared library."

stage development
# GCC's data for link-time optimisation is valid for a single GCC version.
strip --strip-debug --enable-deterministic-archives --wildcard --remove-section=.comment --remove-section='.gnu.lto_*' \
  --remove-section='.gnu.debuglto_*' --strip-symbol=__gnu_lto_slim "$(find "$root" -name libsimtlab.a)"
package libsimtlab-dev libdevel "Depends: libsimtlab$soname (= $version), libc6-dev, $libraries
Suggests: simtlab, cmake, pkg-config" " (development files)" \
  " This package has the header, the static library, and what pkg-config and
 CMake are to know of them."

# The tree that stands in for an SDK, with the runtime library.
if [ -f "$build/cuda/simtlab-device.bc" ]; then
  stage cuda
  runtime=$(find "$root" -name libsimtlab-cudart.so -type f)
  chmod 644 "$runtime"
  mkdir -p "$root/usr/share/lintian/overrides"
  # Programs find the library in the tree, by rpath; it has no interface of its own.
  for tag in "package-name-doesnt-match-sonames libsimtlab-cudart" "shared-library-lacks-version *"; do
    echo "simtlab-cuda: $tag"
  done >"$root/usr/share/lintian/overrides/simtlab-cuda"
  mkdir -p "$root/DEBIAN"
  echo "activate-noawait ldconfig" >"$root/DEBIAN/triggers"
  package simtlab-cuda science "Depends: simtlab (= $version), $(needed "$runtime"), clang-19, libclang-common-19-dev, libstdc++-12-dev | libstdc++-dev" \
    " (CUDA programs)" " This package has headers, device library and runtime of CUDA programs:
 simtlab cuda stands in for nvcc, and the programs run on simulated GPUs."
fi

# The OpenCL client, which the loader finds by the file in /etc.
if [ -f "$build/opencl/simtlab-opencl.bc" ]; then
  stage opencl
  client=$(find "$root" -name libsimtlab-opencl.so -type f)
  chmod 644 "$client"
  rm -f "$root/usr/share/simtlab/opencl/simtlab.icd"
  mkdir -p "$root/etc/OpenCL/vendors" "$root/DEBIAN" "$root/usr/share/lintian/overrides"
  echo libsimtlab-opencl.so >"$root/etc/OpenCL/vendors/simtlab.icd"
  echo /etc/OpenCL/vendors/simtlab.icd >"$root/DEBIAN/conffiles"
  echo "activate-noawait ldconfig" >"$root/DEBIAN/triggers"
  for tag in "package-name-doesnt-match-sonames libsimtlab-opencl" "shared-library-lacks-version *" \
    "arch-dependent-file-in-usr-share [usr/share/simtlab/*]" "binary-from-other-architecture [usr/share/simtlab/*]"; do
    echo "simtlab-opencl: $tag"
  done >"$root/usr/share/lintian/overrides/simtlab-opencl"
  package simtlab-opencl science "Depends: simtlab (= $version), $(needed "$client" "$root"/usr/libexec/simtlab/*), ocl-icd-libopencl1 | libopencl1, clang-19, llvm-19, libclc-19
Provides: opencl-icd
Enhances: ocl-icd-libopencl1" \
    " (OpenCL programs)" " This package has an OpenCL client: the loader offers simulated GPUs
 to OpenCL programs."
fi

stage python
architecture=all
package python3-simtlab python "Depends: python3, python3-cffi, python3-numpy, python3-pandas, libsimtlab$soname (>= $version)
Recommends: simtlab, python3-matplotlib" " (Python)" " This package has the Python package simtlab."
