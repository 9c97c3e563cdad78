# Helpers for deb.sh: roots with the files of named Debian packages and their dependencies only. The files come from the
# installed packages; dpkg knows them, so a package installed into the root must find its dependencies.

# closure PACKAGE...: these packages and all their dependencies; the installed one among alternatives and for virtual
# names.
closure() {
  dpkg-query -W -f='${Status}|${Package}|${Pre-Depends},${Depends}|${Provides}\n' | awk -v start="$*" '
    function bare(text) { gsub(/\([^)]*\)|:[a-z0-9]+| /, "", text); return text }
    BEGIN { FS = "\n" }
    { # Alternatives have bars too: the fields are counted from both ends.
      n = split($0, part, "|")
      if (part[1] !~ / installed$/) next
      needs[part[2]] = ""
      for (i = 3; i < n; i++) needs[part[2]] = needs[part[2]] (i > 3 ? "|" : "") part[i]
      count = split(bare(part[n]), names, ",")
      for (i = 1; i <= count; i++) { sub(/=.*/, "", names[i]); if (!(names[i] in provider)) provider[names[i]] = part[2] }
    }
    END {
      todo = split(start, list, " ")
      for (i = 1; i <= todo; i++) {
        name = list[i] in needs ? list[i] : provider[list[i]]
        if (name == "" || name in done) continue
        done[name] = 1
        print name
        count = split(bare(needs[name]), groups, ",")
        for (j = 1; j <= count; j++) { some = split(groups[j], names, "|"); for (k = 1; k <= some; k++) list[++todo] = names[k] }
      }
    }'
}

# clean_root FOLDER PACKAGE...
clean_root() {
  root=$1
  shift
  mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/tmp" "$root/proc" "$root/dev"
  for folder in bin sbin lib lib32 lib64 libx32; do
    mkdir -p "$root/usr/$folder"
    ln -s "usr/$folder" "$root/$folder"
  done
  : >"$root/dev/null"
  packages=$(closure "$@")
  # shellcheck disable=SC2086
  dpkg-query -s $packages >"$root/var/lib/dpkg/status"
  # shellcheck disable=SC2086
  dpkg -L $packages | grep -Ev '^/usr/share/(doc|man|locale|info)/|^/\.$|^(package diverts|diverted by)' | sort -u |
    while read -r file; do [ -d "$file" ] && [ ! -L "$file" ] || echo "$file"; done |
    tar -c -C / --no-recursion -f - -T - 2>/dev/null | tar -x -C "$root" --keep-directory-symlink -f -
}

# can_enter FOLDER: succeeds if this user can run a command with another root; FOLDER is for trials.
can_enter() {
  mkdir -p "$1/try/proc"
  unshare_as_root sh -c 'mount --rbind /proc "$1/proc"' sh "$1/try" 2>/dev/null
}

unshare_as_root() {
  if [ "$(id -u)" -eq 0 ]; then unshare --mount "$@"; else unshare --mount -r "$@"; fi
}

# within FOLDER COMMAND...: runs the command with FOLDER as the file system's root.
within() {
  (
    export PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/tmp
    unset LD_LIBRARY_PATH SIMTLAB_HOME TMPDIR
    unshare_as_root sh -c 'mount --rbind /proc "$1/proc" && exec chroot "$@"' sh "$@"
  )
}
