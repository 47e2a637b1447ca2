import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTerminals } from '../../../src/terminal/sessions/terminals.ts';
import { onFullDisk } from '../../../tests/daemon/full-disk.ts';
import { TerminalLab } from '../../../tests/daemon/terminal-lab.ts';
import { LabTerminal, terminalParts, terminalStart } from '../../../tests/daemon/terminal-support.ts';
import { repeat, seededRandom, type ProofOptions, type ProofRow } from '../row.ts';
import { until } from '../../../tests/until.ts';

const SEED = 20_261_124;
const WAITS = { interruptMs: 100, terminateMs: 100 };

/** Each promise about terminals under sabotage, with the number of rounds. */
const ROUNDS = { killed: 100, replaced: 30, lines: 80, damaged: 60, full: 6 };

/** What terminals promise when things go wrong around them: killed, replaced, damaged, on a full disk. */
export async function edges(
  lab: TerminalLab,
  repeats: number | undefined,
  say: ProofOptions['say'],
): Promise<ProofRow[]> {
  const random = seededRandom(SEED);
  return [
    await killedHolders(repeats ?? ROUNDS.killed, random, say),
    await replacedShells(lab, repeats ?? ROUNDS.replaced, say),
    await longLines(lab, repeats ?? ROUNDS.lines, random, say),
    await damagedRecords(lab, repeats ?? ROUNDS.damaged, random, say),
    await fullDisks(repeats ?? ROUNDS.full, say),
  ];
}

async function killedHolders(
  count: number,
  random: () => number,
  say: ProofOptions['say'],
): Promise<ProofRow> {
  const counts = { lost: 0, not_begun: 0, completed: 0 };
  const own = await TerminalLab.open();
  try {
    const row =
      'the holder killed at any moment of a command: run at most once, and no success without its end';
    const result = await repeat(row, count, say, async (index) => {
      const terminal = await own.terminal(`killed-${index}`);
      const log = own.path(`log-${index}`);
      const answer = terminal.run(`echo ran >> ${log}; sleep 0.15; echo end >> ${log}`).then(
        ({ kind }) => kind,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      await sleep(random() * 250);
      for (const holder of own.holders()) process.kill(holder, 'SIGKILL');
      const kind = await answer;
      await sleep(300);
      const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
      if ((text.match(/^ran$/gm) ?? []).length > 1) throw new Error(`it ran twice: ${kind}`);
      if (kind === 'completed' && !text.includes('end')) throw new Error('completed without its end');
      if (kind === 'completed') counts.completed += 1;
      else if (text === '') counts.not_begun += 1;
      else if (kind === 'lost') counts.lost += 1;
      else throw new Error(`it has run, but the answer is ${kind}`);
      await own.port.close(terminal.id, WAITS).catch(() => undefined);
    });
    return { ...result, counts };
  } finally {
    await own.close();
  }
}

function replacedShells(lab: TerminalLab, count: number, say: ProofOptions['say']): Promise<ProofRow> {
  return repeat('a shell replaced by "exec bash" can be used again after kill', count, say, async (index) => {
    const terminal = await lab.terminal('replaced');
    await terminal.run('exec bash --norc');
    await lab.port.kill(terminal.id, WAITS);
    const { kind, exitCode, output } = await terminal.run(`echo ${index}; (exit 3)`);
    if (kind !== 'completed' || exitCode !== 3 || output !== String(index))
      throw new Error(`${kind} ${exitCode}: ${output}`);
  });
}

function longLines(
  lab: TerminalLab,
  count: number,
  random: () => number,
  say: ProofOptions['say'],
): Promise<ProofRow> {
  return repeat(
    'a line of 1 byte to 300 KB is complete, or says that its beginning is left out and where it is',
    count,
    say,
    async () => {
      const terminal = await lab.terminal('lines');
      const length = 1 + Math.floor(random() * 300_000);
      const lines = random() < 0.5 ? 1 : 100;
      const ran = await terminal.run(`head -c ${length} /dev/zero | tr '\\0' x; echo END`, { lines });
      const isWhole = ran.output === `${'x'.repeat(length)}END`;
      if (isWhole !== (ran.leftOut.length === 0))
        throw new Error(`${length} bytes: ${ran.leftOut.join(' ')}`);
      const cursor = Number(/cursor (\d+)/.exec(ran.leftOut.join(' '))?.[1] ?? ran.range?.from ?? 0);
      const part = await lab.port.output(terminal.id, { cursor, headBytes: 1, maxTokens: 500 });
      if (part.text !== 'x') throw new Error(`the line begins with ${JSON.stringify(part.text)}`);
    },
  );
}

function damagedRecords(
  lab: TerminalLab,
  count: number,
  random: () => number,
  say: ProofOptions['say'],
): Promise<ProofRow> {
  return repeat(
    'a damaged terminal.json: the same terminal is found, and the record is written again',
    count,
    say,
    async () => {
      const terminal = await lab.terminal('damaged');
      await terminal.run('X=kept');
      const path = join(lab.folder, 'state', 'terminals', terminal.id, 'terminal.json');
      const record = readFileSync(path, 'utf8');
      writeFileSync(path, record.slice(0, Math.floor(random() * record.length)));
      const other = createTerminals(terminalParts(lab.folder));
      const facts = await other.open(terminalStart(lab.folder, 'damaged', '/bin/bash'));
      if (facts.id !== terminal.id) throw new Error('another terminal was started');
      const { output } = await new LabTerminal(other, facts).run('echo $X');
      if (output !== 'kept') throw new Error(`the shell answered ${output}`);
      await until(() => readFileSync(path, 'utf8') === record, 'the record is as before');
    },
  );
}

function fullDisks(count: number, say: ProofOptions['say']): Promise<ProofRow> {
  return repeat(
    'on a disk that gets full, commands run to their ends, and after it, too',
    count,
    say,
    async () => {
      const { flood, full, after } = await onFullDisk(90_000);
      if (flood.exitCode !== 7 || full.output !== 'on a full disk' || after.output !== 'again')
        throw new Error(JSON.stringify({ flood, full, after }));
    },
  );
}
