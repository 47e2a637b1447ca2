import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WaitState } from '../../../src/model/terminals/terminal-state.ts';
import { TerminalEmulator } from '../../../src/terminal/screen/terminal-emulator.ts';
import { untilSteadyMs, addReading } from '../../../src/terminal/sessions/held/steady-state.ts';
import type { ObservedState } from '../../../src/terminal/sessions/held/steady-state.ts';
import { classify, screenFacts, type WaitReading } from '../../../src/terminal/sessions/held/wait-state.ts';
import { TerminalStage, type Terminal } from './terminal-stage.ts';

const SPAN_MS = 200;
const LOOK_MS = 40;
const LIMIT_MS = 12_000;
/** Looks in a row that must all show the state. */
const STAYS_LOOKS = 10;
const SIZE = { columns: 100, rows: 30 };

type Line = readonly [string, ...string[]];

const bash = (script: string): Line => ['/bin/bash', '--norc', '-c', script];

/** What is run without a shell of ours around it, and what it is to be found in. */
const PROGRAMS: readonly (readonly [string, Line, WaitState])[] = [
  ['read -p', bash('read -p "name: " x'), 'waiting_for_line'],
  ['read -s', bash('read -s -p "password: " x'), 'waiting_for_secret'],
  ['read -n 1', bash('read -n 1 -p "go on? " x'), 'waiting_for_line'],
  ['cat', ['/bin/cat'], 'waiting_for_line'],
  ['sleep', ['/bin/sleep', '1000'], 'running'],
  ['sleep behind a text', bash('printf "working ... "; sleep 1000'), 'running'],
  ['sleep without echo', bash('stty -echo; printf "working ... "; sleep 1000'), 'running'],
  ['a loop', bash('while :; do echo $((i++)); sleep 0.15; done'), 'running'],
  ['work', bash('while :; do :; done'), 'running'],
  ['ssh-keygen', ['/usr/bin/ssh-keygen', '-q', '-t', 'ed25519', '-f', 'key'], 'waiting_for_secret'],
  ['getpass', ['/usr/bin/python3', '-c', 'import getpass; getpass.getpass()'], 'waiting_for_secret'],
  ['input()', ['/usr/bin/python3', '-c', 'input("name? ")'], 'waiting_for_line'],
  ['python', ['/usr/bin/python3', '-q'], 'waiting_for_line'],
  ['node', [process.execPath, '-i'], 'waiting_for_line'],
  [
    'a node server',
    [process.execPath, '-e', 'process.stdin.on("data",()=>{});console.log("ready")'],
    'running',
  ],
  ['sqlite3', ['/usr/bin/sqlite3'], 'waiting_for_line'],
  ['bc', ['/usr/bin/bc', '-q'], 'waiting_for_line'],
  ['gdb', ['/usr/bin/gdb', '-q', '-nx'], 'waiting_for_line'],
  ['npm init', ['/usr/bin/npm', 'init'], 'waiting_for_line'],
  ['less', ['/usr/bin/less', '/proc/self/smaps'], 'full_screen'],
  ['the pager of git', bash('LESS=FRX less /proc/self/smaps'), 'full_screen'],
  ['man', ['/usr/bin/man', 'bash'], 'full_screen'],
  ['vim', ['/usr/bin/vim', '-u', 'NONE', '/proc/self/smaps'], 'full_screen'],
  ['top', ['/usr/bin/top'], 'full_screen'],
  ['a pipeline', bash('head -c 3 /dev/tty | cat'), 'waiting_for_line'],
  ['bash', ['/bin/bash', '--norc', '-i'], 'idle'],
  ['zsh', ['/usr/bin/zsh', '-f', '-i'], 'idle'],
  ['fish', ['/usr/bin/fish', '--no-config', '-i'], 'idle'],
  ['dash', ['/bin/dash', '-i'], 'idle'],
];

/** They work on for a moment after they have asked; then they do run, and wait again. */
const WORKS_ON: readonly string[] = ['npm init'];

const SHELLS = new Set(['bash', 'zsh', 'fish', 'dash']);

/** What is typed at a shell. */
const TYPED: readonly (readonly [string, string, WaitState])[] = [
  ['read', 'read x', 'waiting_for_line'],
  ['read -s', 'read -s x', 'waiting_for_secret'],
  ['sleep', 'sleep 1000', 'running'],
  ['cat', 'cat', 'waiting_for_line'],
  ['vim', 'vim -u NONE', 'full_screen'],
  ['nothing', ': nothing', 'idle'],
  ['vim, killed', 'vim -u NONE -c \'call system("kill -9 " . getpid())\'', 'idle'],
];

let stage: TerminalStage;
beforeAll(async () => {
  stage = await TerminalStage.open();
});
afterAll(async () => stage.close());

class Looker {
  private readonly emulator = new TerminalEmulator({ size: SIZE });
  private readonly terminal: Terminal;
  private readonly shell: string | undefined;
  private fed = 0;
  isCommandRunning: boolean | undefined;

  /** @param shell its name, where it is one */
  constructor(terminal: Terminal, shell: string | undefined) {
    this.terminal = terminal;
    this.shell = shell;
  }

  async look(): Promise<WaitReading> {
    const bytes = Buffer.from(await this.terminal.output());
    await this.emulator.feed(bytes.subarray(this.fed));
    this.fed = bytes.length;
    const answers = this.emulator.takeAnswers();
    if (answers.length > 0) await this.terminal.type(Buffer.from(answers).toString('latin1'));
    const { row, column } = this.emulator.cursor;
    const before = this.emulator.row(row)?.translateToString(false, 0, column) ?? '';
    return classify({
      terminal: await this.terminal.facts(),
      screen: screenFacts(this.emulator, before),
      shell:
        this.shell === undefined
          ? undefined
          : {
              group: this.terminal.pid,
              isCommandRunning: this.isCommandRunning,
              hasLineEditor: this.shell !== 'dash',
            },
    });
  }

  /** Until a state has lasted that is the wanted one. */
  async until(
    wanted: WaitState,
    limitMs: number,
  ): Promise<{ watched: ObservedState | undefined; tookMs: number }> {
    const start = performance.now();
    let watched: ObservedState | undefined;
    for (;;) {
      const reading = await this.look();
      const now = performance.now() - start;
      watched = addReading(watched, reading, now, SPAN_MS);
      if (watched.steady?.state === wanted || now > limitMs) return { watched, tookMs: now };
      await sleep(Math.min(LOOK_MS, untilSteadyMs(watched, SPAN_MS) || LOOK_MS));
    }
  }

  /**
   * Looks until the wanted state was all that was seen for a while, or another was.
   * @returns that other reading; `undefined` if the state stayed
   */
  async strays(wanted: WaitState): Promise<WaitReading | undefined> {
    for (let looks = 0; looks < STAYS_LOOKS; looks += 1) {
      const reading = await this.look();
      if (reading.state !== wanted) return reading;
      await sleep(LOOK_MS);
    }
    return undefined;
  }
}

async function open(line: Line, shell?: string): Promise<{ terminal: Terminal; looker: Looker }> {
  const terminal = await stage.start(line, {
    request: {
      size: SIZE,
      environment: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: stage.path('scope'),
        TERM: 'xterm-256color',
        LANG: 'C.UTF-8',
        PS1: '$ ',
      },
    },
  });
  return { terminal, looker: new Looker(terminal, shell) };
}

describe('the state', () => {
  for (const [name, line, wanted] of PROGRAMS)
    it.skipIf(!existsSync(line[0]))(`of ${name} is ${wanted} (needs ${line[0]})`, async () => {
      const { terminal, looker } = await open(line, SHELLS.has(name) ? name : undefined);
      const end = performance.now() + LIMIT_MS;
      for (;;) {
        const { watched } = await looker.until(wanted, end - performance.now());
        expect(watched?.steady).toMatchObject({ state: wanted });
        // And so it stays.
        const strayed = await looker.strays(wanted);
        if (strayed === undefined) break;
        expect(WORKS_ON, `then ${JSON.stringify(strayed)}`).toContain(name);
        expect(strayed).toMatchObject({ state: 'running', process: { waitsIn: 'running' } });
      }
      await terminal.end('end', 0, 0);
    });

  for (const [name, typed, wanted] of TYPED)
    it.each([false, true])(`of ${name} at bash is ${wanted}; with marks: %s`, async (hasMarks) => {
      const { terminal, looker } = await open(['/bin/bash', '--norc', '-i'], 'bash');
      await terminal.shows(/\$ /);
      await terminal.type(`${typed}\r`);
      // The shell was idle before as well: what is typed must have begun.
      await sleep(300);
      if (hasMarks) looker.isCommandRunning = wanted !== 'idle';
      const { watched } = await looker.until(wanted, 6000);
      expect(watched?.steady).toMatchObject({ state: wanted });
      await terminal.end('end', 0, 0);
    });
});
