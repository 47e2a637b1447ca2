import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

// `unit` needs no display and takes seconds; `daemon` starts the built program as processes; `e2e` starts private desktops with real applications.
/** Unit tests wait for timers and other processes more than they compute. */
const UNIT_WORKERS = 5;
/** One more than the processors of CI. Each file has applications, a desktop and a daemon of its own; five of them on a slow machine keep some twenty processes waiting for a processor, and time limits are exceeded. */
const DESKTOP_WORKERS = 3;
/** Short files whose tests take long. Vitest begins with the largest files where it knows no durations; these would run alone at the end. */
const LONG =
  /\/(?:background|compatibility-[\w-]+|daemon|identity|keyboard|qt-get-all|screen\.property|soak|toolkits|waiting)\.test\.ts$/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'tests/e2e/**', 'tests/linux/**', 'tests/daemon/**'],
          setupFiles: ['tests/fixed-seed.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          maxWorkers: UNIT_WORKERS,
        },
      },
      {
        test: {
          name: 'daemon',
          setupFiles: ['tests/fixed-seed.ts'],
          include: ['tests/daemon/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: DESKTOP_WORKERS,
          // Vitest runs projects with other numbers of workers one after the other.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'linux',
          setupFiles: ['tests/fixed-seed.ts'],
          include: ['tests/linux/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: DESKTOP_WORKERS,
          // Vitest runs projects with other numbers of workers one after the other.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: DESKTOP_WORKERS,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
