import { MARK_NUMBER, type HookPlace } from './command-marks.ts';
import { quoteForShell } from './shell-quote.ts';

/**
 * Replaces the start files of bash: with `--posix` a login shell reads only the file in ENV. This file then reads the user's start files as bash
 * would, followed by our hooks, in a real login shell (`logout`, `~/.bash_logout`).
 */
export function bashStartFile(place: HookPlace, environment: Readonly<Record<string, string>>): string {
  const { ENV: env } = environment;
  return `builtin set +o posix
builtin shopt -u inherit_errexit
${env === undefined ? 'builtin unset ENV' : `builtin export ENV=${quoteForShell(env)}`}
if [[ \${HISTFILE-} == "$HOME/.sh_history" ]]; then HISTFILE=$HOME/.bash_history; fi
if [[ -r /etc/profile ]]; then . /etc/profile; fi
if [[ -r ~/.bash_profile ]]; then . ~/.bash_profile
elif [[ -r ~/.bash_login ]]; then . ~/.bash_login
elif [[ -r ~/.profile ]]; then . ~/.profile
fi
builtin . ${quoteForShell(`${place.folder}/hooks`)}
`;
}

/** Needs bash 4.4; older versions get no hooks and print no marks. */
export function bashHooks({ folder, token }: HookPlace): string {
  return `if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then
__dkt_t=${quoteForShell(token)} __dkt_d=${quoteForShell(folder)} __dkt_n=0 __dkt_s=0 __dkt_r='' __dkt_c=''
builtin declare +x __dkt_t __dkt_d __dkt_n __dkt_s __dkt_r __dkt_c
__dkt_put() {
  builtin printf '\\033]${MARK_NUMBER};%s;%s\\a' "$__dkt_t" "$1;$__dkt_n\${2-}" >/dev/tty
}
__dkt_state() {
  builtin local w="$PWD"
  if [[ $w == *[[:cntrl:]]* || \${#w} -gt 1000 ]]; then w=''; fi
  __dkt_put "$1" ";$__dkt_s;$w"
}
__dkt_go() {
  builtin local q="$?" o="$-"
  { builtin local -; builtin set +aefuvx; } 2>/dev/null
  __dkt_n=$1 __dkt_r=1 __dkt_c=''
  IFS= builtin read -r -d '' __dkt_c <"$__dkt_d/command-$1"
  if [[ ! $__dkt_c ]]; then __dkt_c='builtin echo "The command file could not be read." >&2; (builtin exit 126)'
  elif [[ -o history ]]; then
    if ((BASH_VERSINFO[0] < 5)); then builtin history -s -- "$__dkt_c"
    else
      builtin local HISTCONTROL='' HISTIGNORE=''
      builtin history -s -- x
      builtin history -d -1
    fi
  fi
  if [[ $o == *x* ]]; then __dkt_c="{ __dkt_put b; } 2>/dev/null"$'\\n'"$__dkt_c"
  else __dkt_put b
  fi
  if [[ $o == *e* ]]; then q=0; fi
  builtin return "$q"
}
__dkt_end() {
  builtin local q="$?" o="$-"
  { builtin local -; builtin set +aefuvx; } 2>/dev/null
  __dkt_s=$q
  if [[ $__dkt_r ]]; then
    __dkt_r='' __dkt_c=''
    __dkt_state e
    __dkt_hook
  fi
  if [[ $o == *e* ]]; then q=0; fi
  builtin return "$q"
}
__dkt_ready() {
  builtin local q="$?" o="$-"
  { builtin local -; builtin set +aefuvx; } 2>/dev/null
  __dkt_state p
  if [[ $o == *e* ]]; then q=0; fi
  builtin return "$q"
}
__dkt_hook() {
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
    if [[ " \${PROMPT_COMMAND[*]-} " != *__dkt_ready* ]]; then
      PROMPT_COMMAND=('{ __dkt_end; } 2>/dev/null' "\${PROMPT_COMMAND[@]}" '{ __dkt_ready; } 2>/dev/null')
    fi
  elif [[ \${PROMPT_COMMAND-} != *__dkt_ready* ]]; then
    PROMPT_COMMAND="{ __dkt_end; } 2>/dev/null"$'\\n'"\${PROMPT_COMMAND-}"$'\\n'"{ __dkt_ready; } 2>/dev/null"
  fi
}
__dkt_hook
if [[ \${PS0@a} != *x* ]]; then PS0="\${PS0-}"'\\e]${MARK_NUMBER};'"$__dkt_t"';x;\${__dkt_n};\\a'; fi
fi
`;
}
