import { describe, expect, it } from 'vitest';
import { mergeBench } from '../../scripts/lib/merge-bench.mjs';
import { benchmarkFiles } from '../../scripts/generate/benchmarks/page.ts';

const recorded = (name: string, figures: readonly object[]): string =>
  JSON.stringify({
    name,
    date: '2026-01-02',
    commit: 'abc1234',
    machine: {
      node: '24.0.0',
      system: 'linux x64',
      processors: 2,
      processor: 'A processor',
      load_after: 0.5,
    },
    figures,
  });

const PRESS = {
  what: 'gtk3: press, over MCP, p50',
  value: 50,
  unit: 'ms',
  baseline: 20,
  beside: 'xdotool script',
  goal: '<= 60 ms',
  met: true,
  note: 'says <b>*',
};
const PEER = {
  what: 'gtk3: press, over MCP, beside cua-driver, p50',
  value: 50,
  unit: 'ms',
  baseline: 500,
  beside: 'cua-driver',
  ratio: 0.1,
  goal: '<= 0.05',
  met: false,
};

describe('a benchmark that is measured part by part', () => {
  const MACHINE = { node: '24.0.0', system: 'linux x64', processors: 2, processor: 'A processor' };
  const run = (only: string | undefined, figures: readonly object[], load = 1, node = '24.0.0'): object => ({
    name: 'act',
    date: '2026-01-02',
    commit: 'abc1234',
    ...(only === undefined ? {} : { only }),
    machine: { ...MACHINE, node, load_after: load },
    figures,
  });
  const figure = (what: string, value: number): object => ({ what, value, unit: 'ms' });

  it('keeps what was measured of the other parts, and says under which load each was', () => {
    const first = mergeBench(undefined, run('gtk3', [figure('gtk3: press', 50)], 3));
    const both = mergeBench(first, run('qt5', [figure('qt5: press', 90)]));
    const again = mergeBench(both, run('gtk3', [figure('gtk3: press', 40)]));
    expect(again).toMatchObject({
      figures: [{ what: 'qt5: press' }, { what: 'gtk3: press', value: 40 }],
      parts: [{ only: 'qt5' }, { only: 'gtk3', load_after: 1 }],
      // The load of what was measured again has gone with its figures.
      machine: { load_after: 1 },
    });
    const page = benchmarkFiles([JSON.stringify(both)]).get('benchmarks.md');
    expect(page).toMatch(/`--only 'gtk3'` *\| 2026-01-02 *\| abc1234 *\| 3 /);
  });

  it('is begun anew on another machine, and by a run of everything', () => {
    const first = mergeBench(undefined, run('gtk3', [figure('gtk3: press', 50)]));
    const elsewhere = mergeBench(first, run('qt5', [figure('qt5: press', 90)], 1, '26.0.0'));
    expect(elsewhere).toMatchObject({ figures: [{ what: 'qt5: press' }], parts: [{ only: 'qt5' }] });
    const whole = run(undefined, [figure('gtk4: press', 90)]);
    expect(mergeBench(first, whole)).toEqual(whole);
    const more = mergeBench({ ...whole, machine: { ...MACHINE, load_after: 2 } }, run('qt5', []));
    expect(more).toMatchObject({
      parts: [{ only: '.', load_after: 2 }, { only: 'qt5' }],
      machine: { load_after: 2 },
    });
  });
});

describe('the page of benchmarks', () => {
  it('takes any recorded benchmark, and says which goals were missed', () => {
    const page = benchmarkFiles([recorded('wake', [PRESS]), recorded('act', [PRESS, PEER])]).get(
      'benchmarks.md',
    );
    expect(page).toContain('| [act](#act) | 1 of 2 | 2026-01-02 | abc1234 | 0.5 on 2 processors |');
    expect(page).toContain('| [wake](#wake) | 1 of 1 |');
    expect(page).toContain('| **not met** |');
    expect(page).toContain(String.raw`says &lt;b>\*`);
  });

  it('draws one row for an act with all it is compared with', () => {
    const picture = benchmarkFiles([recorded('act', [PRESS, PEER])]).get('images/benchmarks/act.svg');
    expect(picture?.match(/gtk3: press, p50/g)).toHaveLength(1);
    expect(picture).toContain('>xdotool script<');
    expect(picture).toContain('>cua-driver<');
  });

  it('draws curves of figures that are points, without what has no logarithm', () => {
    const at = (place: number, value: number): object => ({
      what: `at ${place}`,
      value,
      unit: 'MB',
      point: { curve: 'daemon', axis: 'commands', at: place },
    });
    const files = benchmarkFiles([recorded('memory', [at(0, 50), at(10, 60), at(1000, 70)])]);
    const picture = files.get('images/benchmarks/memory-by-commands.svg');
    expect(picture?.match(/<polyline points="[\d.]+,[\d.]+ [\d.]+,[\d.]+"/)).not.toBeNull();
    expect(picture).not.toContain('NaN');
  });

  it('draws nothing for figures without a comparison', () => {
    const files = benchmarkFiles([recorded('tokens', [{ what: 'outline', value: 3, unit: 'tokens' }])]);
    expect([...files.keys()]).toEqual(['benchmarks.md']);
  });
});
