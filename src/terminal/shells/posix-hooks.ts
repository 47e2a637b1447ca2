import { MARK_NUMBER, type HookPlace } from './command-marks.ts';
import { quoteForShell } from './shell-quote.ts';

/**
 * For shells without hooks: PS1, which every POSIX shell expands, reports the exit status. PS1 is removed from the environment if the shell allows it
 * (dash does not) and expands to nothing of ours in a nested shell, which would otherwise print marks for this one.
 */
export function posixHooks({ folder, token }: HookPlace): string {
  return `__dkt_t=${quoteForShell(token)} __dkt_d=${quoteForShell(folder)} __dkt_n=0 __dkt_c=
__dkt_put() {
  printf '\\033]${MARK_NUMBER};%s;%s;%s%s\\007' "$__dkt_t" "$1" "$__dkt_n" "$2" >/dev/tty
}
__dkt_go() {
  __dkt_q=$?
  __dkt_n=$1
  __dkt_c=$(command -p cat "$__dkt_d/command-$1")
  __dkt_put b ''
  case $- in *e*) __dkt_q=0 ;; esac
  return "$__dkt_q"
}
__dkt_end() {
  __dkt_q=$?
  case $PWD in
    *[[:cntrl:]]*) __dkt_put e ";$__dkt_q;" ;;
    *) __dkt_put e ";$__dkt_q;$PWD" ;;
  esac
  __dkt_hook
  case $- in *e*) __dkt_q=0 ;; esac
  return "$__dkt_q"
}
__dkt_hook() {
  case \${PS1-} in
    *__dkt_p*) ;;
    *)
      __dkt_c=\${PS1-}
      unset PS1
      PS1='\${__dkt_p:+$__dkt_p$__dkt_n;$?;$__dkt_b}'$__dkt_c
      ;;
  esac
  __dkt_c=
}
__dkt_p=$(printf '\\033]${MARK_NUMBER};%s;p;' "$__dkt_t")
__dkt_b=$(printf '\\007')
__dkt_hook
`;
}
