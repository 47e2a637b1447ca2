/**
 * The live page of a session: the time from a change on the screen until its reader has the changed picture, compared with one capture, and what the
 * daemon spends on it while the screen is still, and while a terminal scrolls over all of it. The reader is a process without a browser.
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { X11Wire } from '../src/platform/linux/display/x11/wire.ts';
import { INPUT_OUTPUT } from '../src/platform/linux/display/x11/x11-library.ts';
import { decodePng } from '../tests/image/decode-png.ts';
import { LiveClient } from '../tests/sessions/live/live-client.ts';
import { median, percentile, rounded, type Figure, type Report, type Say } from './support/figures.ts';
import { Program, type User } from './support/program.ts';
import { Stage } from './support/stage.ts';

const CHANGES = 150;
const GOAL_MS = 200;
const AREA = { x: 100, y: 80, width: 400, height: 300 };
const CALL = { deadlineMs: 5000 };
const REST_MS = [60, 140] as const;
const STILL_MS = 15_000;
const SCROLL_MS = 10_000;
/** Of one processor: the pause after each picture is twice the time that it took. */
const MOST_BUSY_PERCENT = 50;
/** A tick of /proc/PID/stat. */
const TICK_MS = 10;

export async function run({ say }: { readonly say: Say }): Promise<Report> {
  const stage = await Stage.start(say);
  try {
    say('building');
    const program = await Program.build();
    const user = await program.user('live', stage.desktop.environment);
    try {
      return { name: 'live', figures: await measure(stage, user, say) };
    } finally {
      await user.stop();
      await program.remove();
    }
  } finally {
    await stage.stop();
  }
}

async function measure(stage: Stage, user: User, say: Say): Promise<Figure[]> {
  await user.desk('list-windows');
  say('no page');
  await sleep(2000);
  const idle = await busyPercent(user, STILL_MS);
  const url = (await user.desk('session', 'view', '--live', '--format', 'text')).trim();
  const page = await LiveClient.open(url);
  const others: LiveClient[] = [];
  try {
    await page.eventually('the screen', () => page.pictures.length > 0);
    const { environment } = stage.desktop;
    say('changes');
    const delays = await changes(stage, page);
    const floor = await captures(stage);
    say('a still screen');
    await sleep(2000);
    const still = await busyPercent(user, STILL_MS);
    say('a scrolling terminal');
    const program = 'while :; do seq 1 5000; done';
    const terminal = spawn('xterm', ['-geometry', '400x120+0+0', '-e', 'sh', '-c', program], {
      env: { ...environment },
      stdio: 'ignore',
    });
    try {
      await sleep(2000);
      const before = { pictures: page.messages.length, bytes: page.bytes };
      const one = await busyPercent(user, SCROLL_MS);
      const rate = (1000 * (page.messages.length - before.pictures)) / SCROLL_MS;
      const megabytes = (page.bytes - before.bytes) / SCROLL_MS / 1000;
      for (let more = 0; more < 3; more += 1) others.push(await LiveClient.open(url));
      await sleep(1000);
      const four = await busyPercent(user, SCROLL_MS);
      const p95 = percentile(delays, 0.95);
      return [
        {
          what: `change to picture, median of ${CHANGES}`,
          value: rounded(median(delays)),
          unit: 'ms',
          baseline: rounded(median(floor)),
          ratio: rounded(median(delays) / median(floor)),
          note: 'baseline: one capture of the same area in this process',
        },
        {
          what: 'change to picture, p95',
          value: rounded(p95),
          unit: 'ms',
          goal: `<= ${GOAL_MS}`,
          met: p95 <= GOAL_MS,
        },
        { what: 'change to picture, longest', value: rounded(Math.max(...delays)), unit: 'ms' },
        { what: 'daemon without a page', value: rounded(idle, 2), unit: '% of a processor' },
        {
          what: 'daemon while the screen is still',
          value: rounded(still, 2),
          unit: '% of a processor',
          goal: '<= 0.5',
          met: still <= 0.5,
        },
        {
          what: 'daemon while a terminal scrolls over the whole screen',
          value: rounded(one),
          unit: '% of a processor',
          goal: `<= ${MOST_BUSY_PERCENT}`,
          met: one <= MOST_BUSY_PERCENT,
        },
        { what: 'pictures while it scrolls', value: rounded(rate), unit: 'per second' },
        { what: 'sent while it scrolls', value: rounded(megabytes, 2), unit: 'MB/s' },
        {
          what: 'daemon with four pages instead of one',
          value: rounded(four),
          unit: '% of a processor',
          baseline: rounded(one),
          ratio: rounded(four / one, 2),
          goal: '<= 1.5',
          met: four / one <= 1.5,
        },
      ];
    } finally {
      terminal.kill();
    }
  } finally {
    for (const client of [page, ...others]) client.close();
  }
}

/** A window of a new colour over the last one, again and again. */
async function changes(stage: Stage, page: LiveClient): Promise<number[]> {
  const wire = await connect(stage);
  const delays: number[] = [];
  let last: number | undefined;
  try {
    for (let change = 0; change < CHANGES; change += 1) {
      const shade = 1 + (change % 250);
      const colour = (shade << 16) | ((255 - shade) << 8) | shade;
      const seen = new Promise<number>((resolve) => {
        page.onPicture = ({ area, png }) => {
          const isOver = area.x <= AREA.x && area.y <= AREA.y && area.width >= 1;
          if (!isOver) return;
          const { bgrx, width } = decodePng(png);
          const at = ((AREA.y - area.y) * width + AREA.x - area.x) * 4;
          if (bgrx[at] === shade && bgrx[at + 1] === 255 - shade) resolve(performance.now());
        };
      });
      const id = wire.allocateId();
      const { x, y, width, height } = AREA;
      const values = { eventMask: 0, backgroundPixel: colour, overrideRedirect: 1 };
      const created = wire.accepts(
        'CreateWindow',
        id,
        wire.root,
        x,
        y,
        width,
        height,
        0,
        0,
        INPUT_OUTPUT,
        0,
        values,
      );
      if (!(await created)) throw new Error('The display creates no window.');
      const began = performance.now();
      await wire.call('MapWindow', id);
      delays.push((await seen) - began);
      if (last !== undefined) await wire.call('DestroyWindow', last);
      last = id;
      // Not in step with the page's own pauses.
      await sleep(REST_MS[0] + Math.random() * REST_MS[1]);
    }
  } finally {
    wire.close();
  }
  return delays;
}

async function captures(stage: Stage): Promise<number[]> {
  const desktop = stage.freshDesktop();
  const times: number[] = [];
  try {
    for (let turn = 0; turn < 60; turn += 1) {
      const began = performance.now();
      await desktop.capture({ kind: 'region', bounds: AREA }, CALL);
      if (turn >= 10) times.push(performance.now() - began);
    }
  } finally {
    await desktop.close();
  }
  return times;
}

function connect({ desktop }: Stage): Promise<X11Wire> {
  return X11Wire.connect(desktop.display, { ...CALL, xauthority: desktop.environment['XAUTHORITY'] });
}

/** The processor time of the daemon, its threads included. */
async function busyPercent(user: User, forMs: number): Promise<number> {
  const pid = await user.daemonPid();
  const [before, began] = [await ticks(pid), performance.now()];
  await sleep(forMs);
  return ((await ticks(pid)) - before) * TICK_MS * (100 / (performance.now() - began));
}

async function ticks(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
