import { expect, it } from 'vitest';
import { thinFigures } from '../../bench/startup.ts';
import { childCosts } from '../../bench/support/child-cost.ts';
import { CannotMeasure } from '../../bench/support/figures.ts';

const ENVIRONMENT = { PATH: process.env['PATH'] ?? '' };

it('counts processor time, not waiting', async () => {
  const busy = 'const end=process.cpuUsage().user+80_000;while(process.cpuUsage().user<end);';
  const waiting = 'setTimeout(()=>{},300)';
  const costs = await childCosts(
    [
      [process.execPath, '-e', busy],
      [process.execPath, '-e', waiting],
    ],
    2,
    ENVIRONMENT,
  );
  const [worked, waited] = costs;
  expect(worked?.cpuMs).toBeGreaterThan(80);
  expect(waited?.wallMs).toHaveLength(2);
  expect(Math.min(...(waited?.wallMs ?? []))).toBeGreaterThan(300);
  expect(waited?.cpuMs).toBeGreaterThan(1);
  expect((worked?.cpuMs ?? 0) - (waited?.cpuMs ?? 0)).toBeGreaterThan(40);
});

it('a command that fails is not measured', async () => {
  await expect(childCosts([[process.execPath, '-e', 'process.exit(3)']], 1, ENVIRONMENT)).rejects.toThrow(
    CannotMeasure,
  );
});

it('judges the least of ours by the least of an empty Node', () => {
  const empty = { cpuMs: 20, cpuMedianMs: 25, wallMs: [30, 40, 50] };
  const cheap = { cpuMs: 33, cpuMedianMs: 50, wallMs: [60, 60, 60] };
  const dear = { cpuMs: 36, cpuMedianMs: 36, wallMs: [60, 60, 60] };
  const figures = thinFigures(['version', 'list-windows'], [empty, cheap, dear]);
  const judged = figures.filter(({ goal }) => goal !== undefined);
  expect(judged).toMatchObject([
    { value: 33, baseline: 20, ratio: 1.65, met: true },
    { value: 36, baseline: 20, ratio: 1.8, met: false },
  ]);
  expect(figures.filter(({ goal }) => goal === undefined)).toMatchObject([
    { value: 60, baseline: 40, ratio: 1.5 },
    { value: 60, baseline: 40 },
  ]);
});
