import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_KINDS, type FixtureKind } from '../../fixtures/widgets.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { LinuxDesktop } from '../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../src/platform/linux/private-desktop/private-desktop.ts';
import type { DesktopWindow } from '../../src/ports/desktop/windows.ts';
import { mergeByName, type ProofOptions, type ProofRow } from './row.ts';
import { fixtureActs, type SeatAct } from './seat/fixture-acts.ts';
import { TITLED, type TitledProgram } from './seat/titled-programs.ts';
import { UserAtWork } from './seat/user-at-work.ts';
import { setStage } from './stage.ts';

const ROUNDS = 20;
const CALL = { deadlineMs: 10_000 };
const START_MS = 30_000;
const KEPT_FAILURES = 5;
/** For what an act opens to open, and the focus to be given back. */
const OPENS_MS = 250;

/**
 * Works applications with a keyboard and a pointer of our own, while a user types without pause into another window: each act has to arrive, by the application's own record,
 * and the user's focus, pointer and modifiers have to stay where they are; at the end their text has to be what they typed. `only` names toolkits.
 */
export async function prove({ say, repeats = ROUNDS, only, commit }: ProofOptions): Promise<ProofRow[]> {
  const rows: ProofRow[] = [];
  const isWanted = (name: string): boolean => only?.includes(name) ?? true;
  for (const kind of ALL_KINDS.filter(isWanted)) rows.push(...(await ofFixture(kind, repeats, say)));
  for (const program of TITLED.filter(({ name }) => isWanted(name)))
    rows.push(...(await ofProgram(program, repeats, say)));
  return rows.map((row) => ({ ...row, at: commit }));
}

/** Rows of toolkits that did not run stay. */
export function merge(earlier: unknown, later: readonly ProofRow[]): ProofRow[] {
  return mergeByName(earlier, later);
}

/** How one act went, over all rounds. */
class Tally {
  readonly row: string;
  #repeats = 0;
  #passes = 0;
  #falseConfirmed = 0;
  #disturbed = 0;
  readonly #failures: string[] = [];

  constructor(row: string) {
    this.row = row;
  }

  note(attempt: {
    readonly hasArrived: boolean;
    readonly effect: string;
    readonly disturbed: readonly string[];
  }): void {
    const { hasArrived, effect, disturbed } = attempt;
    this.#repeats++;
    if (!hasArrived && effect === 'confirmed') this.#falseConfirmed++;
    if (disturbed.length > 0) this.#disturbed++;
    if (hasArrived && disturbed.length === 0) this.#passes++;
    else if (this.#failures.length < KEPT_FAILURES)
      this.#failures.push(
        `#${this.#repeats}: ${hasArrived ? 'arrived' : 'did not arrive'} (${effect})${disturbed.length === 0 ? '' : `; elsewhere: ${disturbed.join(', ')}`}`,
      );
  }

  done(say: (text: string) => void): ProofRow {
    const [first] = this.#failures;
    say(`${this.row}: ${this.#passes} of ${this.#repeats}${first === undefined ? '' : `; ${first}`}`);
    return {
      row: this.row,
      repeats: this.#repeats,
      passes: this.#passes,
      counts: { 'user disturbed': this.#disturbed, 'falsely confirmed': this.#falseConfirmed },
      ...(first === undefined ? {} : { failures: this.#failures }),
    };
  }
}

async function ofFixture(kind: FixtureKind, rounds: number, say: ProofOptions['say']): Promise<ProofRow[]> {
  const stage = await setStage(kind);
  const user = await UserAtWork.begin(stage.desktop, stage.place.environment);
  try {
    const engine = stage.engine.onOwnSeat({ isRequired: true });
    await user.work();
    const acts = fixtureActs(stage.fixture).map((act) => ({ act, tally: new Tally(`${kind}: ${act.name}`) }));
    for (let round = 0; round < rounds; round++)
      for (const { act, tally } of acts) {
        const effect = await effectOf(() => act.run(engine, round));
        const hasArrived = (await act.arrived?.(round)) ?? !effect.includes(' ');
        await sleep(OPENS_MS);
        tally.note({ hasArrived, effect, disturbed: await user.disturbed() });
        await act.after?.(engine);
      }
    return [...acts.map(({ tally }) => tally.done(say)), await textRow(kind, user, say)];
  } finally {
    await user.close();
    await stage.end();
  }
}

async function effectOf(run: () => ReturnType<SeatAct['run']>): Promise<string> {
  try {
    return (await run()).effect;
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

async function textRow(name: string, user: UserAtWork, say: ProofOptions['say']): Promise<ProofRow> {
  const { typed, text } = await user.stop();
  const row = `${name}: the text of the user`;
  say(`${row}: ${typed.length} keys, ${text === typed ? 'exact' : `got ${text.length}`}`);
  return {
    row,
    repeats: 1,
    passes: text === typed ? 1 : 0,
    counts: { keys: typed.length, 'keys in their window': text.length },
  };
}

/** Clicks and types by places on the screen. */
async function ofProgram(
  program: TitledProgram,
  rounds: number,
  say: ProofOptions['say'],
): Promise<ProofRow[]> {
  const place = await PrivateDesktop.start({ deadlineMs: START_MS });
  const folder = await mkdtemp(join(tmpdir(), 'seat-'));
  const desktop = new LinuxDesktop(place.environment);
  const [command = '', ...args] = program.command(folder);
  const child = spawn(command, args, {
    env: { ...place.environment, HOME: folder },
    stdio: 'ignore',
    detached: true,
  });
  let user: UserAtWork | undefined;
  try {
    const window = await titled(desktop, program.ready);
    user = await UserAtWork.begin(desktop, place.environment);
    const seat = desktop.ownSeat;
    if (seat === undefined) throw new Error('the display has no seat of its own');
    await user.work();
    const clicks = new Tally(`${program.name}: click`);
    const texts = new Tally(`${program.name}: text by keyboard`);
    const title = async (): Promise<string> =>
      (await desktop.listWindows(CALL)).find(({ id }) => id === window.id)?.title ?? '';
    const hasTitle = async (wanted: (text: string) => boolean): Promise<boolean> => {
      for (let look = 0; look < 75; look++) {
        if (wanted(await title())) return true;
        await sleep(20);
      }
      return false;
    };
    const { x, y, width, height } = window.bounds ?? { x: 0, y: 0, width: 0, height: 0 };
    const lease = await seat.input.take('agent', CALL);
    let typed = '';
    for (let round = 0; round < rounds; round++) {
      const at = { x: x + width / 2 + (round % 5) * 20, y: y + height * 0.7 };
      await lease.moveTo({ x: Math.round(at.x), y: Math.round(at.y) }, CALL);
      await lease.click('left', 1, { ...CALL, onto: await lease.under(CALL) });
      const hasArrived = await hasTitle((text) => text.startsWith(`clicks ${round + 1} `));
      clicks.note({ hasArrived, effect: '', disturbed: await user.disturbed() });
      await lease.type('ab', { ...CALL, delayMs: 0, check: async () => undefined, into: window.id });
      typed += 'ab';
      const hasText = await hasTitle((text) => text.split(' ').some((word) => word === typed));
      texts.note({ hasArrived: hasText, effect: '', disturbed: await user.disturbed() });
      // Multiple clicks mark words.
      await sleep(500);
    }
    await lease.endLease();
    return [clicks.done(say), texts.done(say), await textRow(program.name, user, say)];
  } finally {
    await user?.close();
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await desktop.close();
    await place.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function titled(desktop: LinuxDesktop, ready: RegExp): Promise<DesktopWindow> {
  const end = performance.now() + START_MS;
  for (;;) {
    const found = (await desktop.listWindows(CALL)).find(
      ({ title, id }) => ready.test(title) && id.startsWith('x11:'),
    );
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`no window ${ready}`);
    await sleep(100);
  }
}
