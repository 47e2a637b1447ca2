import type { TerminalLab } from '../../../tests/daemon/terminal-lab.ts';
import { repeat, type ProofOptions, type ProofRow } from '../row.ts';

/** The promised time from when a prompt is shown until it is reported, for 95 of 100. */
const TOLD_WITHIN_MS = 300;
const PROMPTS_EACH = 20;
const QUIET_EACH = 17;
const WAITS = { interruptMs: 100, terminateMs: 100 };
const NODE = "require('readline').createInterface({input:process.stdin,output:process.stdout})";

/** Programs that ask for something. */
const ASKING: Readonly<Record<string, string>> = {
  'read of bash': "read -r -p 'Name: ' name",
  'input() of Python': `/usr/bin/python3 -c 'input("Name: ")'`,
  'ssh-keygen': 'rm -f key key.pub; ssh-keygen -q -t ed25519 -f key',
  gpg: 'mkdir -p -m 700 gpg; echo x > plain; gpg -q --homedir gpg --pinentry-mode loopback -c plain',
  '[Y/n] of a script': `sh -c 'printf "Do you want to continue? [Y/n] "; read answer'`,
  'readline of Node': `${process.execPath} -e "${NODE}.question('Name: ', () => {})"`,
};

/** Programs that only work, with text before the cursor, as a prompt has. */
const WORKING: Readonly<Record<string, string>> = {
  'a loop of the shell': `printf 'Working... '; n=0; while [ $n -lt 150000 ]; do n=$((n+1)); done`,
  'a pause after "Password: "': `printf 'Password: '; sleep 1.2`,
  'slow dots': `for i in 1 2 3 4 5 6; do printf .; sleep 0.2; done`,
  'Python that prints slowly': `/usr/bin/python3 -c 'import time
for i in range(6): print("%d%% " % i, end="", flush=True); time.sleep(0.2)'`,
  'Node that prints slowly': `${process.execPath} -e "let n=0; const t=setInterval(() => { process.stdout.write('? '); if (++n > 5) clearInterval(t); }, 200)"`,
  'a pipe that computes': `printf 'Sorting: '; seq 1 60000 | sort -R | tail -n 1 > /dev/null`,
};

/** How soon prompts are reported. */
export async function prompts(
  lab: TerminalLab,
  repeats: number | undefined,
  say: ProofOptions['say'],
): Promise<ProofRow[]> {
  const terminal = await lab.terminal('prompts');
  const rows: ProofRow[] = [];
  const all: number[] = [];
  for (const [name, command] of Object.entries(ASKING)) {
    const took: number[] = [];
    const row = `${name}: its prompt is reported`;
    // What it starts once, such as an agent, and reads from the disk, is not ours.
    await terminal.run(command, { waitMs: 10_000 });
    await lab.port.kill(terminal.id, WAITS);
    await terminal.reaches('idle');
    // The last that it wrote is its prompt; how long it takes to get there is its own matter.
    let shownAt = 0;
    const attached = await lab.port.attach(terminal.id, {
      size: { columns: 120, rows: 40 },
      onBytes: () => {
        shownAt = performance.now();
      },
      signal: new AbortController().signal,
    });
    const result = await repeat(row, repeats ?? PROMPTS_EACH, say, async () => {
      try {
        const { kind, output } = await terminal.run(command, { waitMs: 10_000 });
        const ms = performance.now() - shownAt;
        if (kind !== 'waiting') throw new Error(`${kind}: ${output}`);
        took.push(ms);
      } finally {
        await lab.port.kill(terminal.id, WAITS);
        await terminal.reaches('idle');
      }
    });
    attached.detach();
    all.push(...took);
    rows.push({ ...result, counts: countsOf(took) });
  }
  const counts = countsOf(all);
  rows.push({
    row: `prompts are reported within ${TOLD_WITHIN_MS} ms after they are shown, 95 of 100`,
    repeats: all.length,
    passes: all.filter((ms) => ms <= TOLD_WITHIN_MS).length,
    counts,
    holds: counts.p95_ms <= TOLD_WITHIN_MS,
  });
  return rows;
}

/** That nothing else is reported as waiting. */
export async function quiet(
  lab: TerminalLab,
  repeats: number | undefined,
  say: ProofOptions['say'],
): Promise<ProofRow[]> {
  const terminal = await lab.terminal('quiet');
  const rows: ProofRow[] = [];
  for (const [name, command] of Object.entries(WORKING)) {
    rows.push(
      await repeat(`${name}: never reported as waiting`, repeats ?? QUIET_EACH, say, async () => {
        const { kind, output } = await terminal.run(command);
        if (kind === 'completed') return;
        await lab.port.kill(terminal.id, WAITS);
        await terminal.reaches('idle');
        throw new Error(`${kind}: ${output}`);
      }),
    );
  }
  return rows;
}

function countsOf(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return { p50_ms: at(0.5), p95_ms: at(0.95), slowest_ms: Math.round(sorted.at(-1) ?? 0) };
}
