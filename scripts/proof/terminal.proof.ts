import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { largeCommand, shortCommand, type Expected } from '../../bench/support/terminal-commands.ts';
import type { TerminalFactsView } from '../../src/ports/terminals.ts';
import { createTerminals } from '../../src/terminal/sessions/terminals.ts';
import { TerminalLab } from '../../tests/daemon/terminal-lab.ts';
import { isRunning, LabTerminal, residentMb, terminalParts } from '../../tests/daemon/terminal-support.ts';
import { mergeByName, repeat, type ProofOptions, type ProofRow } from './row.ts';
import { clients } from './terminal/clients.ts';
import { edges } from './terminal/edges.ts';
import { prompts, quiet } from './terminal/prompts.ts';

const SHORT = 1000;
const SHORT_ELSEWHERE = 250;
const LARGE = 100;
const TIMES = 20;
/** The promised time until the state of a terminal is known. */
const KNOWN_WITHIN_MS = 500;
const FLOOD_NUMBERS = 120_000_000;
const FLOOD_MS = 900_000;
const MOST_GROWTH_MB = 100;
const WAITS = { interruptMs: 100, terminateMs: 100 };

interface Program {
  readonly name: string;
  readonly command: string;
  /** On the screen once the program has started. */
  readonly sign: RegExp;
  readonly state: TerminalFactsView['state'];
}

const PROGRAMS: readonly Program[] = [
  { name: 'sleep', command: 'echo begun; sleep 600', sign: /^begun$/, state: 'running' },
  { name: 'a loop', command: 'echo begun; while :; do :; done', sign: /^begun$/, state: 'running' },
  { name: 'cat', command: 'echo begun; cat', sign: /^begun$/, state: 'waiting_for_line' },
  { name: 'read -p', command: "read -r -p 'Name: ' name", sign: /^Name:$/, state: 'waiting_for_line' },
  { name: 'python', command: '/usr/bin/python3 -q', sign: /^>>>$/, state: 'waiting_for_line' },
  { name: 'gdb', command: 'gdb -q -nx', sign: /^\(gdb\)$/, state: 'waiting_for_line' },
  {
    name: 'read -s',
    command: "read -r -s -p 'Password: ' word",
    sign: /^Password:$/,
    state: 'waiting_for_secret',
  },
  {
    name: 'getpass',
    command: "/usr/bin/python3 -c 'import getpass; getpass.getpass()'",
    sign: /^Password:$/,
    state: 'waiting_for_secret',
  },
  {
    name: 'ssh-keygen',
    command: 'rm -f key key.pub; ssh-keygen -q -t ed25519 -f key',
    sign: /passphrase/,
    state: 'waiting_for_secret',
  },
  { name: 'less', command: 'less long.txt', sign: /^line 30$/, state: 'full_screen' },
  { name: 'vim', command: 'vim -u NONE -N', sign: /^~$/, state: 'full_screen' },
  { name: 'top', command: 'top', sign: /PID\s+USER/, state: 'full_screen' },
];

type Part = (lab: TerminalLab, repeats: number | undefined, say: ProofOptions['say']) => Promise<ProofRow[]>;

const PARTS: Readonly<Record<string, Part>> = {
  bytes,
  states: (lab, repeats, say) => states(lab, repeats ?? TIMES, say),
  ends: (lab, repeats, say) => ends(lab, repeats ?? TIMES, say),
  prompts,
  quiet,
  edges,
  clients: (_, repeats, say) => clients(repeats, say),
  flood: async (lab, repeats, say) => [await flood(lab, repeats, say)],
};

/** What terminals promise, counted with real shells and programs in the published holder. `only` names parts: those of {@link PARTS}. */
export async function prove({ say, repeats, only, commit }: ProofOptions): Promise<ProofRow[]> {
  const rows: ProofRow[] = [];
  for (const name of only ?? Object.keys(PARTS)) {
    const part = PARTS[name];
    if (part === undefined)
      throw new Error(`There is no part ${name}; there are ${Object.keys(PARTS).join(', ')}.`);
    const lab = await TerminalLab.open();
    try {
      const lines = Array.from({ length: 200 }, (_, index) => `line ${index}\n`);
      writeFileSync(lab.path('long.txt'), lines.join(''));
      rows.push(...(await part(lab, repeats, say)).map((row) => ({ ...row, at: commit })));
    } finally {
      await lab.close();
    }
  }
  return rows;
}

/** Rows of parts that did not run stay, each with the revision that it proved. */
export function merge(earlier: unknown, later: readonly ProofRow[]): ProofRow[] {
  return mergeByName(earlier, later);
}

async function bytes(
  lab: TerminalLab,
  repeats: number | undefined,
  say: ProofOptions['say'],
): Promise<ProofRow[]> {
  const rows: ProofRow[] = [];
  const shells = [
    ['bash', '/bin/bash', SHORT],
    ['zsh', '/usr/bin/zsh', SHORT_ELSEWHERE],
    ['fish', '/usr/bin/fish', SHORT_ELSEWHERE],
    ['dash', '/bin/dash', SHORT_ELSEWHERE],
  ] as const;
  for (const [name, shell, count] of shells) {
    const terminal = await lab.terminal(`bytes-${name}`, shell);
    rows.push(
      await exact(
        terminal,
        `short commands in ${name}: every byte and the exit code`,
        repeats ?? count,
        say,
        shortCommand,
      ),
    );
  }
  const terminal = await lab.terminal('bytes-large');
  const what = 'commands of 1.5 MB in bash: every byte and the exit code';
  rows.push(await exact(terminal, what, repeats ?? LARGE, say, largeCommand));
  return rows;
}

async function exact(
  terminal: LabTerminal,
  row: string,
  count: number,
  say: ProofOptions['say'],
  make: (index: number) => Expected,
): Promise<ProofRow> {
  let lostBytes = 0;
  const result = await repeat(row, count, say, async (index) => {
    const { command, shown, exitCode } = make(index);
    const ran = await terminal.run(command);
    const found = await terminal.bytesOf(ran);
    lostBytes += Math.max(0, shown.length - found.length);
    if (!found.equals(shown)) throw new Error(`${found.length} of ${shown.length} bytes, or different ones`);
    if (ran.exitCode !== exitCode) throw new Error(`exit code ${ran.exitCode}, not ${exitCode}`);
  });
  return { ...result, counts: { lost_bytes: lostBytes } };
}

async function states(lab: TerminalLab, count: number, say: ProofOptions['say']): Promise<ProofRow[]> {
  const rows: ProofRow[] = [];
  const terminal = await lab.terminal('states');
  for (const { name, command, sign, state } of PROGRAMS) {
    let slowest = 0;
    const row = `${name} is ${state} within ${KNOWN_WITHIN_MS} ms, and idle after its end`;
    const result = await repeat(row, count, say, async () => {
      try {
        await terminal.run(command, { isBackground: true, waitMs: 1, clear: true });
        await terminal.shows(sign);
        const took = await terminal.reaches(state);
        slowest = Math.max(slowest, Math.round(took));
        if (took > KNOWN_WITHIN_MS) throw new Error(`after ${Math.round(took)} ms`);
      } finally {
        await lab.port.kill(terminal.id, WAITS);
        await terminal.reaches('idle');
      }
    });
    rows.push({ ...result, counts: { slowest_ms: slowest } });
  }
  return rows;
}

const DAEMON = `
import os, sys, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
open('pid', 'w').write(str(os.getpid()))
time.sleep(600)`;
import { until } from '../../tests/until.ts';
const STUBBORN = `sh -c 'trap "" INT TERM; echo $$ > pid; while :; do sleep 0.1; done'`;

async function ends(lab: TerminalLab, count: number, say: ProofOptions['say']): Promise<ProofRow[]> {
  const pid = () => Number(readFileSync(lab.path('pid'), 'utf8'));
  const written = async () => {
    await until(() => {
      try {
        return pid() > 0;
      } catch {
        return false;
      }
    }, 'it runs');
    return pid();
  };
  const fresh = () => rmSync(lab.path('pid'), { force: true });
  const terminal = await lab.terminal('ends');
  writeFileSync(lab.path('daemon.py'), DAEMON);
  return [
    await repeat(
      'a program that ignores INT and TERM is ended, and the shell stays',
      count,
      say,
      async () => {
        fresh();
        await terminal.run(STUBBORN, { isBackground: true, waitMs: 1 });
        const stubborn = await written();
        await lab.port.kill(terminal.id, WAITS);
        await terminal.reaches('idle');
        if (isRunning(stubborn)) throw new Error('it is still running');
        if (!isRunning(terminal.pid)) throw new Error('the shell has ended too');
      },
    ),
    await repeat(
      'a program that forked twice into a new session ends with its terminal',
      count,
      say,
      async (index) => {
        fresh();
        const other = await lab.terminal(`daemon-${index}`);
        await other.run('/usr/bin/python3 daemon.py');
        const daemon = await written();
        if (!isRunning(daemon)) throw new Error('it was not running');
        await other.close();
        if (isRunning(daemon) || isRunning(other.pid)) throw new Error('something is still running');
      },
    ),
    await repeat('another daemon finds the terminal and its running command', count, say, async (index) => {
      await terminal.run(`cat; echo after ${index}`, { isBackground: true, waitMs: 1 });
      const port = createTerminals(terminalParts(lab.folder));
      const facts = (await port.list()).find(({ id }) => id === terminal.id);
      if (facts?.pid !== terminal.pid) throw new Error('it was not found');
      const again = new LabTerminal(port, facts);
      await again.reaches('waiting_for_line');
      await again.type('\u0004');
      await again.shows(new RegExp(`^after ${index}$`));
      await terminal.reaches('idle');
    }),
  ];
}

/** A gigabyte of output; far less in a shortened run. */
async function flood(
  lab: TerminalLab,
  repeats: number | undefined,
  say: ProofOptions['say'],
): Promise<ProofRow> {
  const numbers = repeats === undefined ? FLOOD_NUMBERS : 1_000_000;
  const terminal = await lab.terminal('flood');
  let growthMb = 0;
  let writtenMb = 0;
  const size = repeats === undefined ? 'a gigabyte' : 'eight megabytes';
  const row = `a command that writes ${size}: its end is right, and the holder grows by less than ${MOST_GROWTH_MB} MiB`;
  const result = await repeat(row, 1, say, async () => {
    const [holder = 0] = lab.holders();
    const before = residentMb(holder);
    const watch = setInterval(() => {
      growthMb = Math.max(growthMb, residentMb(holder) - before);
    }, 200);
    try {
      const ran = await terminal.run(`seq 1 ${numbers}; echo the end; (exit 9)`, {
        lines: 2,
        waitMs: FLOOD_MS,
      });
      writtenMb = ((ran.range?.to ?? 0) - (ran.range?.from ?? 0)) / 1024 / 1024;
      if (ran.kind !== 'completed' || ran.exitCode !== 9)
        throw new Error(`${ran.kind}, exit code ${ran.exitCode}`);
      if (ran.output !== `${numbers}\nthe end`) throw new Error(`the end is ${JSON.stringify(ran.output)}`);
      if (growthMb > MOST_GROWTH_MB) throw new Error(`it grew by ${Math.round(growthMb)} MiB`);
    } finally {
      clearInterval(watch);
    }
  });
  return { ...result, counts: { growth_mb: Math.round(growthMb), shown_mb: Math.round(writtenMb) } };
}
