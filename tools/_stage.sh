# Sourced by build.sh, check.sh and check_full.sh: runs a long command with its output in a log, and shows its progress
# on a terminal.

# progress LOG: prints make's last percentage, or ctest's last test number.
progress() {
  tr '\r' '\n' <"$1" | sed -n 's/^\[ *\([0-9]*%\)\].*/\1/p; s/^ *\([0-9]*\/[0-9]*\) Test .*/\1/p' | tail -n 1
}

# left SECONDS PROGRESS: prints an estimate of the remaining time; nothing in the first tenth.
left() {
  echo "$2" | awk -F '[/%]' -v s="$1" '{
    share = $0 ~ /%/ ? $1 / 100 : $2 ? $1 / $2 : 0
    if (share > 0.1) { l = s / share - s; printf ", about %d s left", l < 10 ? l : int((l + 5) / 10) * 10 } }'
}

# stage NAME TEXT LOG COMMAND...: returns the command's exit status. In a pipe it prints one line at the end.
stage() {
  name=$1 text=$2 log=$3 start=$(date +%s) status=0
  shift 3
  "$@" >"$log" 2>&1 </dev/null &
  child=$!
  if [ -t 1 ]; then
    while kill -0 "$child" 2>/dev/null; do
      seconds=$(($(date +%s) - start)) part=$(progress "$log")
      printf '\r%s: %s %s, %d s%s\033[K' "$name" "$text" "$part" "$seconds" "$(left $seconds "$part")"
      sleep 1
    done
    printf '\r\033[K'
  fi
  wait "$child" || status=$?
  echo "$name: $text: $(($(date +%s) - start)) s"
  return $status
}
