import { expect, it } from 'vitest';
import doctor from '../../../src/commands/system/doctor.ts';
import type { DoctorCheck } from '../../../src/model/effects/doctor.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { fakeDesktop } from '../fake-engine.ts';

const WORKS: DoctorCheck = { name: 'press', outcome: 'works', detail: 'It arrived.', duration_ms: 3 };

it('is healthy if everything that is not optional works', async () => {
  const optional: DoctorCheck = { ...WORKS, name: 'applications', outcome: 'refused', optional: true };
  const steps: string[] = [];
  const { ctx, calls } = fakeDesktop(
    {
      doctor: async ({ onTrial }) => {
        onTrial?.('press');
        return [WORKS, optional];
      },
    },
    {
      progress: ({ message }) => steps.push(message),
      checkCommandLine: async ({ deadlineMs, onTrial }) => {
        expect(deadlineMs).toBeLessThanOrEqual(20_000);
        onTrial('sandbox');
        return [{ ...optional, name: 'sandbox' }];
      },
    },
  );
  const output = doctor.output.parse(await doctor.run(ctx, doctor.input.parse({})));
  expect(output).toMatchObject({ healthy: true, summary: { works: 1, refused: 2, broken: 0, skipped: 1 } });
  expect(output.checks.map(({ name }) => name)).toEqual(['press', 'applications', 'sandbox', 'daemon']);
  expect(output.checks.at(-1)).toMatchObject({ name: 'daemon', outcome: 'skipped', optional: true });
  expect(calls[0]?.request).toMatchObject({ deadlineMs: 20_000, signal: ctx.signal });
  expect(steps).toEqual(['trying press', 'trying sandbox']);
  expect(doctor.exitCode?.(output)).toBe(0);
});

it('shows the broken step and what to do', async () => {
  const broken: DoctorCheck = {
    name: 'capture',
    outcome: 'broken',
    detail: 'It is black.',
    step: 'take a picture of it',
    fix: 'Paint it.',
    duration_ms: 7,
  };
  const { ctx } = fakeDesktop({ doctor: async () => [WORKS, broken] });
  const output = doctor.output.parse(await doctor.run(ctx, doctor.input.parse({})));
  expect(doctor.exitCode?.(output)).toBe(1);
  expect(doctor.outline?.(output)).toBe(
    [
      'not healthy: 1 works, 0 refused, 1 broken, 1 skipped',
      '  works   press   It arrived.',
      '  broken  capture at "take a picture of it": It is black.',
      '          fix: Paint it.',
      '  skipped daemon  This call was answered without the daemon. (optional)',
    ].join('\n'),
  );
});

it('answers without any desktop', async () => {
  const { ctx } = fakeDesktop(
    {},
    {
      engine: async () => {
        throw new DeskterityError('DISPLAY_UNAVAILABLE', 'There is no display.', {
          suggestion: 'Install xvfb.',
        });
      },
    },
  );
  const output = await doctor.run(ctx, doctor.input.parse({}));
  expect(output).toMatchObject({
    healthy: false,
    checks: [
      { name: 'display', outcome: 'broken', detail: 'There is no display.', fix: 'Install xvfb.' },
      { name: 'daemon' },
    ],
  });
});
