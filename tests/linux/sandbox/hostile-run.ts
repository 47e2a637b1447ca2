import { expect } from 'vitest';
import type { Confinement } from '../../../src/model/tools/confinement.ts';
import type { Stage } from './stage.ts';

export const PYTHON = '/usr/bin/python3';

/** What became of one attempt of a hostile program. */
export interface Outcome {
  readonly name: string;
  readonly succeeded?: string;
  readonly denied?: string;
  readonly broken?: string;
}

/**
 * Runs a hostile program to its end. Without confinement each attempt gets a target of its own.
 * @returns what became of each attempt, as the program says
 */
export async function tryAll(
  stage: Stage,
  program: string,
  target: object,
  by: Confinement['by'],
  denyReport = false,
): Promise<Outcome[]> {
  const unconfined = by === 'none';
  const ended = await stage.run(
    [PYTHON, stage.path('app', 'hostile', program), JSON.stringify({ ...target, unconfined })],
    { by, read: [stage.path('app', 'hostile')], denyReport },
    {
      environment: {
        PATH: '/usr/bin:/bin',
        HOME: stage.path('made'),
        PYTHONDONTWRITEBYTECODE: '1',
        ...(unconfined ? { OWN_SECRET: 'hunter2' } : {}),
      },
    },
  );
  expect(ended, 'the hostile program came to its end').toMatchObject({ exitCode: 0 });
  return (ended.output['merged'] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Outcome => JSON.parse(line));
}

/** Attempts that were not held back. */
export function notDenied(outcomes: readonly Outcome[]): Outcome[] {
  return outcomes.filter(({ denied }) => denied === undefined);
}
