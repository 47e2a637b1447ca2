/** Marks the supervisor's command line, so that an outer desktop does not end an inner one's supervisor. */
export const SUPERVISOR_TAG = 'deskterity-desktop-supervisor';

/**
 * The supervisor of one private desktop; in POSIX sh, because it runs as long as the desktop and should cost almost nothing.
 * Arguments: desktop id, folder, owner's pid, and how many lines of the folder's notes it begins with: one that replaces another knows what that knew even if
 * the owner exits before it can write. Standard input: `process PID:START` for launched programs (`forget` removes one),
 * `service PID:START` for the display, bus and window manager, `display N`. It shuts down on `stop` or at the end of input, which the
 * kernel delivers however the owner exits: every process that carries the desktop's marker, descends from one that does or belongs to
 * its session, or did so when it was last looked, gets TERM, then KILL, services last. Then it removes the X lock, the X socket and the folder.
 */
export const SUPERVISOR_SCRIPT = String.raw`
id=$1 folder=$2 owner=$3 known=$4
trap '' TERM INT HUP QUIT PIPE
LC_ALL=C KNOWN= SERVICES= SEEN= displays=
export LC_ALL

# learn WORD VALUE: fails on stop.
learn() {
  case $1 in
    process) KNOWN="$KNOWN $2" ;;
    forget) KNOWN=$(printf '%s' "$KNOWN" | sed "s/ $2\$//; s/ $2 / /") ;;
    service) SERVICES="$SERVICES $2" ;;
    display) displays="$displays $2" ;;
    stop) return 1 ;;
  esac
}
if [ "$known" -gt 0 ]; then
  while [ "$known" -gt 0 ] && read -r word value; do
    learn "$word" "$value"
    known=$((known - 1))
  done <"$folder/notes"
fi
while read -r word value; do
  learn "$word" "$value" || break
done
exec </dev/null

members() {
  MARKED=$(grep -lszF "DESKTERITY_PRIVATE_DESKTOP=$id" /proc/[0-9]*/environ)
  GUARDS=$(grep -lszF "${SUPERVISOR_TAG}" /proc/[0-9]*/cmdline)
  cat /proc/[0-9]*/stat 2>/dev/null | MARKED=$MARKED GUARDS=$GUARDS KNOWN=$KNOWN SERVICES=$SERVICES SEEN=$SEEN WANTED=$1 awk '
    function note(text, starts,    i, n, list, pair) {
      n = split(text, list, " ")
      for (i = 1; i <= n; i++) { split(list[i], pair, ":"); starts[pair[1]] = pair[2] }
    }
    function pids(text, into,    i, n, list, part) {
      n = split(text, list, "\n")
      for (i = 1; i <= n; i++) { split(list[i], part, "/"); if (part[3] != "") into[part[3]] = 1 }
    }
    BEGIN {
      pids(ENVIRON["MARKED"], hit); pids(ENVIRON["GUARDS"], guard)
      note(ENVIRON["KNOWN"], start); note(ENVIRON["SERVICES"], start); note(ENVIRON["SERVICES"], service); note(ENVIRON["SEEN"], seen)
    }
    {
      pid = $1
      sub(/^.*\) /, "")
      if ($1 == "Z" || $1 == "X") next
      parent[pid] = $2; session[pid] = $4; began[pid] = $20
    }
    END {
      for (p in hit) if (!(p in parent)) delete hit[p]
      for (p in start) {
        if (!(p in began)) ours[p] = 1
        else if (began[p] == start[p]) hit[p] = 1
      }
      for (p in seen) if ((p in began) && began[p] == seen[p]) hit[p] = 1
      for (p in hit) if (session[p] == p) ours[p] = 1
      do {
        more = 0
        for (p in parent) {
          if ((p in hit) || (p in guard)) continue
          if (!(parent[p] in hit) && !(session[p] in ours)) continue
          hit[p] = 1; more = 1
          if (session[p] == p) ours[p] = 1
        }
      } while (more)
      for (p in hit) if ((ENVIRON["WANTED"] == "all") || !(p in service)) printf "%s:%s ", p, began[p]
    }' || printf '%s' "$MARKED" | sed 's,/proc/,,; s,/environ,,' | tr '\n' ' '
}

nap() { sleep 0.05 2>/dev/null || sleep 1; }

# look WHICH: sets left, and remembers it: a process that has lost its parent may be recognised by nothing else.
look() {
  SEEN=$(members $1)
  left=
  for entry in $SEEN; do left="$left ${'$'}{entry%%:*}"; done
}

# end WHICH GRACE: TERM, wait up to GRACE naps, then KILL until nothing is left.
end() {
  look $1
  [ -z "$left" ] && return
  kill -TERM $left 2>/dev/null
  kill -CONT $left 2>/dev/null
  i=0
  while [ $i -lt $2 ]; do
    nap
    look $1
    [ -z "$left" ] && return
    i=$((i + 1))
  done
  i=0
  while [ $i -lt 20 ]; do
    kill -KILL $left 2>/dev/null
    nap
    look $1
    [ -z "$left" ] && return
    i=$((i + 1))
  done
}
end apps 8
end all 6

for n in $displays; do
  if read -r holder <"/tmp/.X$n-lock" && [ "$holder" = "$owner" ]; then rm -f "/tmp/.X11-unix/X$n" "/tmp/.X$n-lock"; fi
done 2>/dev/null

# Never remove files behind a mount.
mounted=
while read -r _ point _; do
  case $point in
    "$folder"/*) fusermount -uz "$point" || umount -l "$point" || mounted=1 ;;
  esac
done </proc/self/mounts 2>/dev/null
i=0
while [ -z "$mounted" ] && [ -e "$folder" ] && [ $i -lt 5 ]; do
  rm -rf "$folder" 2>/dev/null
  [ -e "$folder" ] && nap
  i=$((i + 1))
done
exit 0
`;
