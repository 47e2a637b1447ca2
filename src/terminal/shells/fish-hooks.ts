import { MARK_NUMBER, type HookPlace } from './command-marks.ts';
import { quoteForFish } from './shell-quote.ts';

/** Read by fish after the user's configuration (`--init-command`). They use events, so the user's functions are left alone. */
export function fishHooks({ folder, token }: HookPlace): string {
  return `set -g __dkt_t ${quoteForFish(token)}
set -g __dkt_d ${quoteForFish(folder)}
set -g __dkt_n 0
set -g __dkt_s 0
set -g __dkt_r ''
set -g __dkt_c ''
function __dkt_put
  builtin printf '\\e]${MARK_NUMBER};%s;%s;%s%s\\a' $__dkt_t $argv[1] $__dkt_n "$argv[2]" >/dev/tty
end
function __dkt_state
  set -l w $PWD
  if string match -qr '[[:cntrl:]]|^.{1001}' -- $w
    set w ''
  end
  __dkt_put $argv[1] ";$__dkt_s;$w"
end
function __dkt_go
  set -l q $status
  set -g __dkt_n $argv[1]
  set -g __dkt_r 1
  set -g __dkt_c ''
  read -gz __dkt_c <$__dkt_d/command-$argv[1]
  if test -z "$__dkt_c"
    set -g __dkt_c 'echo "The command file could not be read." >&2; false'
  end
  __dkt_put b
  return $q
end
function __dkt_end --on-event fish_postexec
  set -l q $status
  set -g __dkt_s $q
  if test -n "$__dkt_r"
    set -g __dkt_r ''
    set -g __dkt_c ''
    __dkt_state e
  end
  return $q
end
function __dkt_ready --on-event fish_prompt --on-event fish_cancel
  __dkt_state p
end
function __dkt_clear
  commandline -r ''
  if not status is-interactive-read
    __dkt_state p
  end
end
for m in default insert visual replace replace_one
  bind -M $m \\e\\[${MARK_NUMBER}~ __dkt_clear
end
set -e m
function __dkt_begin --on-event fish_preexec
  __dkt_put x ';'
end
`;
}
