import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ShellLab, type LabOptions } from './shell-lab.ts';

const labs: ShellLab[] = [];
async function open(options: LabOptions = {}): Promise<ShellLab> {
  const lab = await ShellLab.open('zsh', options);
  labs.push(lab);
  return lab;
}
afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.close();
});

/** What commands write and how they end, whatever the user's files do. */
async function trial(lab: ShellLab): Promise<readonly (readonly [string, number | undefined])[]> {
  const found: (readonly [string, number | undefined])[] = [];
  for (const command of ['echo out; (exit 7)', 'echo "status $?"', 'printf end']) {
    const { output, outcome } = await lab.run(command);
    found.push([output, outcome.exitCode]);
  }
  return found;
}
const WORKED = [
  ['out\n', 7],
  ['status 7\n', 0],
  ['end', 0],
];

describe('the user’s own files', () => {
  it('reads what a login shell reads, in its order', async () => {
    const lab = await open({
      home: {
        '.zshenv': 'order+=" env"\n',
        '.zprofile': 'order+=" profile"\n',
        '.zshrc': 'order+=" rc"\nalias greet="echo hello"\n',
        '.zlogin': 'order+=" login"\n',
        '.zlogout': 'echo left > ~/logout\n',
      },
    });
    expect(
      (await lab.run('echo $order; greet; [[ -o login ]] && echo login; echo ${ZDOTDIR-none}')).output,
    ).toBe(' env profile rc login\nhello\nlogin\nnone\n');
    await lab.run('exit');
    expect(readFileSync(path.join(lab.home, 'logout'), 'utf8')).toBe('left\n');
  });

  it('finds them where .zshenv says that they are', async () => {
    const lab = await open({
      home: { '.zshenv': 'export ZDOTDIR=$HOME/.config/zsh\n', '.config/zsh/.zshrc': 'found=yes\n' },
    });
    expect((await lab.run('echo $found $ZDOTDIR')).output).toBe(`yes ${lab.home}/.config/zsh\n`);
  });

  it('finds them where the environment says that they are', async () => {
    const lab = await open({ environment: { ZDOTDIR: '/nowhere/of the user' } });
    expect((await lab.run('echo $ZDOTDIR')).output).toBe('/nowhere/of the user\n');
  });

  it.each([
    [
      'hooks as oh-my-zsh has them',
      'autoload -Uz add-zsh-hook; p() { print noise; false }; add-zsh-hook precmd p; add-zsh-hook preexec p',
    ],
    ['lists of hooks made anew', 'p() { print noise }; precmd_functions=(p); preexec_functions=(p)'],
    ['hooks of its own name', 'precmd() { print noise }; preexec() { print noise }'],
    [
      'two lines and a right prompt',
      String.raw`PROMPT=$'two lines noise %?\n%F{red}>%f '; RPROMPT='%T right'`,
    ],
    ['no prompt spacing', 'unsetopt prompt_sp prompt_cr; PS1="noise "'],
    [
      'a line editor with hooks',
      'zle-line-init() { zle -M noise }; zle -N zle-line-init; bindkey -v; PS1="noise "',
    ],
    [
      'global aliases',
      'alias -g g=noise; alias -g q=noise; alias print="echo noise" builtin="builtin"; PS1="noise "',
    ],
  ])('works beside %s', async (_name, line) => {
    const lab = await open({ home: { '.zshrc': `${line}\n` } });
    expect(await trial(lab)).toEqual(WORKED);
    await lab.until(() => lab.shown.includes('noise'), 'what the user has set up');
  });

  it.each([
    'setopt ksh_arrays',
    'setopt sh_word_split',
    'setopt no_unset',
    'setopt all_export',
    'setopt no_clobber',
    'setopt noglob',
    'setopt ignore_braces',
    'setopt local_options',
    'setopt no_prompt_subst',
    'emulate ksh',
    'emulate sh',
    'IFS=0123456789',
    'setopt no_rcs',
    'setopt correct_all',
    'setopt share_history',
    'setopt no_aliases',
    'setopt warn_create_global',
  ])('works after %s', async (line) => {
    const lab = await open();
    await lab.run(line);
    expect(await trial(lab)).toEqual(WORKED);
    expect((await lab.run('env')).output).not.toContain('__dkt');
  });

  it('shows what xtrace shows, of the command alone', async () => {
    const lab = await open();
    await lab.run('setopt xtrace');
    expect((await lab.run('echo out')).output).toMatch(/^\+[^\n]*> echo out\nout\n$/u);
  });

  it('goes on when the hooks are taken away', async () => {
    const lab = await open();
    await lab.run('precmd_functions=(); preexec_functions=(); unset precmd_functions');
    expect(await trial(lab)).toEqual(WORKED);
  });

  it('ends with a command that fails after set -e', async () => {
    const lab = await open();
    await lab.run('! true');
    await lab.run('set -e');
    expect((await lab.run('echo fine')).outcome).toMatchObject({ kind: 'completed', exitCode: 0 });
    expect((await lab.run('false; echo never')).outcome).toMatchObject({ kind: 'shell_ended', exitCode: 1 });
  });
});

describe('what a command does to the shell', () => {
  it('is done at its top level', async () => {
    const lab = await open();
    await lab.run('typeset x=kept; typeset -a list; list=(1 2); set -- a b c; f() { echo in f; }');
    expect((await lab.run('echo $x ${list[2]} $# $2; f')).output).toBe('kept 2 3 b\nin f\n');
    expect((await lab.run('cat <<E\nhere $x\nE')).output).toBe('here kept\n');
    expect((await lab.run('nosuchprogram')).output).toBe('zsh: command not found: nosuchprogram\n');
    expect((await lab.run('[[ -o evallineno ]] && echo as ever; eval "echo \\$LINENO"')).output).toBe(
      'as ever\n1\n',
    );
    await lab.run('echo "');
    expect((await lab.run('[[ -o evallineno ]] && echo as ever')).output).toBe('as ever\n');
  });

  it('may send the shell’s output elsewhere', async () => {
    const lab = await open();
    await lab.run('exec 3>&1 4>&2 >out.txt 2>err.txt');
    expect(await lab.run('echo hidden; (exit 5)')).toMatchObject({ output: '', outcome: { exitCode: 5 } });
    await lab.run('exec >&3 2>&4');
    expect((await lab.run('cat out.txt')).output).toContain('hidden\n');
  });

  it('is stopped by ctrl-z and comes back', async () => {
    const lab = await open();
    const sequence = lab.submit('sleep 0.6');
    await lab.until(() => lab.dialogue.state.kind === 'running', 'its beginning');
    // The shell tells of the beginning before the program is in the foreground.
    await new Promise((resolve) => {
      setTimeout(resolve, 150);
    });
    lab.type('\u001A');
    expect((await lab.ended(sequence)).outcome.exitCode).toBe(148);
    await lab.idle();
    expect((await lab.run('fg')).outcome.exitCode).toBe(0);
  });
});

describe('the history', () => {
  it.each([
    '',
    'setopt hist_ignore_space',
    'setopt share_history',
    'setopt inc_append_history',
    'setopt hist_ignore_all_dups',
  ])('has neither our commands nor our lines (%s)', async (line) => {
    const lab = await open({
      home: {
        '.zshrc': `HISTFILE=~/own_history HISTSIZE=100 SAVEHIST=100\n${line}\n`,
        own_history: 'old one\nold two\n',
      },
    });
    await lab.run('echo secret');
    expect((await lab.run('fc -ln 1 100 | grep -v __dkt_go')).output).toBe('old one\nold two\n');
    await lab.run('exit');
    expect(readFileSync(path.join(lab.home, 'own_history'), 'utf8').replaceAll(/^: \d+:\d+;/gmu, '')).toBe(
      'old one\nold two\n',
    );
  });
});

it('can be hooked late, by a line that is typed', async () => {
  const lab = await open({ home: { '.zshrc': '' }, isLate: true });
  expect(await trial(lab)).toEqual(WORKED);
});
