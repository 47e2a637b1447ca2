import { bestMedian, median, percentile, rounded, type Figure } from './figures.ts';
import type { Series, TerminalOrder, TerminalTimes } from './terminal-client.ts';

const SCREEN_GOAL_MS = 2;
const MEMORY_GOAL_MB = 8;

/** The measurements as figures. */
export function terminalFigures(order: TerminalOrder, times: TerminalTimes): Figure[] {
  return [
    ...lossFigures(times),
    ...overheadFigures(times.overhead),
    ...screenFigures(times.screen),
    ...memoryFigures(order, times.memory),
  ];
}

function lossFigures({ short, large, peer }: TerminalTimes): Figure[] {
  return [
    ...lost('short commands that were not byte-exact', short, peer?.short),
    ...lost('commands of 1.5 MB that were not byte-exact', large, peer?.large),
    took('a short command with all its bytes read, p50', short, peer?.short),
    took('a command of 1.5 MB with all its bytes read, p50', large, peer?.large),
  ];
}

function lost(what: string, ours: Series, peer: Series | undefined): Figure[] {
  const [first] = ours.lost;
  const notes = [
    `of ${ours.tookMs.length}`,
    ...(peer === undefined ? [] : [`compared with script(1), of ${peer.tookMs.length}`]),
    ...(first === undefined ? [] : [first]),
  ];
  return [
    {
      what,
      value: ours.lost.length,
      unit: 'commands',
      goal: '0',
      met: ours.lost.length === 0,
      ...(peer === undefined ? {} : { baseline: peer.lost.length }),
      note: notes.join('; '),
    },
  ];
}

function took(what: string, ours: Series, peer: Series | undefined): Figure {
  return compared(what, median(ours.tookMs), peer && median(peer.tookMs), 'compared with script(1)');
}

function compared(what: string, value: number, baseline: number | undefined, note: string): Figure {
  return {
    what,
    value: rounded(value, 2),
    unit: 'ms',
    ...(baseline === undefined
      ? {}
      : { baseline: rounded(baseline, 2), ratio: rounded(value / baseline, 2), note }),
  };
}

function overheadFigures({ spawn, shell, terminal, builtin, script }: TerminalTimes['overhead']): Figure[] {
  const over = bestMedian(terminal) - bestMedian(spawn);
  return [
    compared('/bin/true in a terminal, p50', median(terminal), median(spawn), 'compared with a plain spawn'),
    compared(
      '/bin/true in a terminal, p99',
      percentile(terminal, 0.99),
      percentile(spawn, 0.99),
      'compared with a plain spawn',
    ),
    {
      what: '/bin/true in a terminal: more than a plain spawn, best of five medians',
      value: rounded(over, 2),
      unit: 'ms',
    },
    compared(
      '/bin/true in a terminal, p50',
      median(terminal),
      median(shell),
      'compared with a shell that is spawned for it',
    ),
    compared(
      'true in a terminal, a builtin, p50',
      median(builtin),
      median(spawn),
      'compared with a plain spawn of /bin/true',
    ),
    ...(script.length === 0
      ? []
      : [
          compared(
            '/bin/true in a terminal, p50',
            median(terminal),
            median(script),
            'compared with script(1)',
          ),
        ]),
  ];
}

function screenFigures({ readMs, treeMs, changedMs, cpuMs }: TerminalTimes['screen']): Figure[] {
  const whole = readMs.map((ms, index) => ms + (treeMs[index] ?? 0));
  const best = rounded(bestMedian(whole), 2);
  return [
    {
      what: 'screen of 120x40 as a tree, asked of the holder, best of five medians',
      value: best,
      unit: 'ms',
      goal: `< ${SCREEN_GOAL_MS}`,
      met: best < SCREEN_GOAL_MS,
      note: `the tree is ${rounded(median(treeMs), 2)} ms of it; p99 ${rounded(percentile(whole, 0.99), 1)} ms`,
    },
    { what: 'the same: CPU of the daemon', value: rounded(cpuMs, 2), unit: 'ms' },
    { what: 'the same right after a change, p50', value: rounded(median(changedMs), 2), unit: 'ms' },
  ];
}

function memoryFigures({ idle }: TerminalOrder, memory: TerminalTimes['memory']): Figure[] {
  const { holder, daemon, fullHolder, fullDaemon, shell, holderAlone } = memory;
  const each = rounded(holder + daemon, 2);
  const full = rounded(fullHolder + fullDaemon, 2);
  return [
    {
      what: `memory of an idle session, holder and daemon, of ${idle}`,
      value: each,
      unit: 'MiB',
      goal: `< ${MEMORY_GOAL_MB}`,
      met: each < MEMORY_GOAL_MB,
      note: `${rounded(holder, 2)} in the holder, ${rounded(daemon, 2)} in the daemon; its shell has ${rounded(shell)} more`,
    },
    {
      what: `the same with 20,000 lines written in each`,
      value: full,
      unit: 'MiB',
      goal: `< ${MEMORY_GOAL_MB}`,
      met: full < MEMORY_GOAL_MB,
      note: `${rounded(fullHolder, 2)} in the holder, ${rounded(fullDaemon, 2)} in the daemon`,
    },
    { what: 'resident memory of the holder with one session', value: rounded(holderAlone), unit: 'MiB' },
  ];
}
