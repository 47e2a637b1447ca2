import { exitCodeOfLost, writeAll } from '../../printing/output.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import type { ClientVerb } from '../verb.ts';

/**
 * The scripts call `desk __complete` and pass its lines to the shell as data: nothing in an answer is evaluated. Every argument starts with "=",
 * because some shells drop empty ones.
 */

const BASH = String.raw`# Completions of desk for bash. Load them with:  source <(desk completion bash)
_desk() {
  COMPREPLY=()
  local kind line
  {
    IFS= read -r kind || return 0
    if [[ $kind == :files ]]; then
      compopt -o default -o filenames 2>/dev/null
      return 0
    fi
    while IFS= read -r line; do
      COMPREPLY+=("$line")
    done
  } < <(command desk __complete bash "=\${COMP_LINE:0:COMP_POINT}" "=$2" "=$COMP_TYPE" 2>/dev/null)
}
complete -o nosort -F _desk desk deskterity 2>/dev/null || complete -F _desk desk deskterity
`.replaceAll(String.raw`\${`, '${');

const ZSH = String.raw`#compdef desk deskterity
# Completions of desk for zsh. Save as "_desk" in a folder of $fpath, or load with:  source <(desk completion zsh)
_desk() {
  local kind line
  local -a before candidates shown
  before=("\${(@Q)words[2,CURRENT-1]}")
  {
    IFS= read -r kind || return 1
    while IFS= read -r line; do
      candidates+=("\${line%%$'\t'*}")
      if [[ $line == *$'\t'* ]]; then
        shown+=("\${line%%$'\t'*}  -- \${line#*$'\t'}")
      else
        shown+=("$line")
      fi
    done
  } < <(command desk __complete zsh "=\${(Q)PREFIX}" "=\${(@)^before}" 2>/dev/null)
  if [[ $kind == :files ]]; then
    [[ $PREFIX == --*=* ]] && compset -P '*='
    _files
    return
  fi
  (( $#candidates )) && compadd -V desk -l -d shown -a candidates
}
if [[ $funcstack[1] == _desk ]]; then
  _desk "$@"
else
  compdef _desk desk deskterity
fi
`.replaceAll(String.raw`\${`, '${');

const FISH = String.raw`# Completions of desk for fish. Load them with:  desk completion fish | source
function __desk_complete
    set -l current (commandline -ct)
    test (count $current) -eq 1; or set current ''
    set -l before (commandline -opc)
    set -e before[1]
    set -l lines (command desk __complete fish "=$current" "="$before 2>/dev/null)
    test (count $lines) -gt 0; or return
    if test "$lines[1]" = ":files"
        set -l flag (string match -r -- '^--[^=]*=' $current; or echo)
        set -l begun (string replace -r -- '^--[^=]*=' '' $current)
        set -l path (string unescape -- $begun)
        test (count $path) -eq 1; or set path $begun
        set -l paths (__fish_complete_path $path)
        test (count $paths) -gt 0; and printf '%s\n' $flag$paths
        return
    end
    printf '%s\n' $lines[2..-1]
end
complete -c desk -f -a '(__desk_complete)'
complete -c deskterity -f -a '(__desk_complete)'
`;

const POWERSHELL = String.raw`# Completions of desk for PowerShell. Load them in $PROFILE with:  desk completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName desk, deskterity -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $before = @($commandAst.CommandElements |
    Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { '=' + $_.Value } else { '=' + $_.Extent.Text } })
  $kind, $lines = @(& (Get-Command -CommandType Application, ExternalScript -Name desk | Select-Object -First 1) __complete powershell "=$wordToComplete" @before 2>$null)
  if ($kind -ne ':values') { return }
  foreach ($line in $lines) {
    $text, $about = $line -split [char]9, 2
    if ($text.Trim("'") -notlike ([WildcardPattern]::Escape($wordToComplete.Trim("'")) + '*')) { continue }
    if (-not $about) { $about = $text }
    [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $about)
  }
}
`;

/** By shell. */
export const COMPLETION_SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['bash', BASH],
  ['zsh', ZSH],
  ['fish', FISH],
  ['powershell', POWERSHELL],
]);

/** Prints the script for one shell. */
export const verb: ClientVerb = {
  run: async ({ input, stdout }) => {
    const { shell } = input;
    const script = COMPLETION_SCRIPTS.get(typeof shell === 'string' ? shell : '');
    const known = [...COMPLETION_SCRIPTS.keys()].join(', ');
    if (script === undefined) {
      const message =
        shell === undefined
          ? 'desk completion needs the name of a shell.'
          : `${JSON.stringify(shell).slice(0, 80)} is not a supported shell.`;
      throw new UsageError('completion', message, `Give one of ${known}: desk completion bash`);
    }
    return (await writeAll(stdout, script)) ? 0 : exitCodeOfLost(0);
  },
};
