import { MARK_NUMBER, type HookPlace } from './command-marks.ts';
import { quoteForShell } from './shell-quote.ts';

/**
 * `.zshenv` in the folder that ZDOTDIR names at the start. It restores ZDOTDIR before any file of the user is read, so that zsh finds them all,
 * including the user's `.zshenv`. The hooks load at the first prompt; `sched` covers users who reassign `precmd_functions`.
 */
export function zshStartFile(place: HookPlace, environment: Readonly<Record<string, string>>): string {
  const { ZDOTDIR: folder } = environment;
  return `${folder === undefined ? "'builtin' 'unset' ZDOTDIR" : `'builtin' 'export' ZDOTDIR=${quoteForShell(folder)}`}
if [[ -o interactive ]]; then
  __dkt_start() {
    builtin emulate -L zsh
    if (( ! \${+__dkt_t} )); then
      builtin emulate zsh -o no_aliases -c ${quoteForShell(`builtin source ${quoteForShell(`${place.folder}/hooks`)}`)}
    fi
  }
  typeset -ga precmd_functions
  precmd_functions+=(__dkt_start)
  builtin zmodload zsh/sched 2>/dev/null && builtin sched +0 __dkt_start
fi
if [[ -r \${ZDOTDIR-$HOME}/.zshenv ]]; then
  'builtin' 'source' "\${ZDOTDIR-$HOME}/.zshenv"
fi
`;
}

export function zshHooks({ folder, token }: HookPlace): string {
  return `typeset -g __dkt_t=${quoteForShell(token)} __dkt_d=${quoteForShell(folder)} __dkt_r='' __dkt_c=''
typeset -gi __dkt_n=0 __dkt_s=0
typeset -g +x __dkt_t __dkt_d __dkt_r __dkt_c __dkt_n __dkt_s
__dkt_put() {
  builtin print -rn -- $'\\e]${MARK_NUMBER};'"$__dkt_t;$1;$__dkt_n\${2-}"$'\\a' >/dev/tty
}
__dkt_state() {
  builtin local w=$PWD
  if [[ $w == *[[:cntrl:]]* ]] || (( $#w > 1000 )); then w=''; fi
  __dkt_put $1 ";$__dkt_s;$w"
}
__dkt_history() {
  [[ $1 != ' __dkt_go '* ]]
}
__dkt_go() {
  builtin local -i q=$? e=0 x=0
  if [[ -o err_exit ]]; then e=1; fi
  if [[ -o xtrace ]]; then x=1; fi
  __dkt_n=$1 __dkt_r=1 __dkt_c="$(<$__dkt_d/command-$1)"
  if [[ -z $__dkt_c ]]; then __dkt_c='builtin print -ru2 -- "The command file could not be read."; (builtin exit 126)'
  fi
  if (( ! x )); then __dkt_put b; fi
  if (( e )); then q=0; fi
  __dkt_s=q
  __dkt_c="{ builtin setopt evallineno; __dkt_first $x; } 2>/dev/null"$'\\n'"$__dkt_c"
  builtin return q
}
__dkt_first() {
  if (( $1 )); then __dkt_put b; fi
  builtin return __dkt_s
}
__dkt_end() {
  builtin local -i q=$?
  __dkt_s=q
  if [[ -n $__dkt_r ]]; then
    __dkt_r='' __dkt_c=''
    __dkt_state e
    __dkt_hook
  fi
  builtin return q
}
__dkt_ready() {
  builtin local -i q=$?
  __dkt_end
  __dkt_s=q
  __dkt_state p
  builtin return q
}
__dkt_begin() {
  __dkt_put x ';'
}
__dkt_hook() {
  typeset -ga precmd_functions preexec_functions zshaddhistory_functions
  precmd_functions=(\${precmd_functions:#__dkt_(start|ready)} __dkt_ready)
  preexec_functions=(\${preexec_functions:#__dkt_begin} __dkt_begin)
  zshaddhistory_functions=(\${zshaddhistory_functions:#__dkt_history} __dkt_history)
}
__dkt_hook
__dkt_state p
`;
}
