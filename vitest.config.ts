import { defineConfig } from 'vitest/config';

// `unit` needs no display and takes seconds; `daemon` starts the built program as processes; `e2e` starts private desktops with real applications.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'tests/e2e/**', 'tests/linux/**', 'tests/daemon/**'],
          setupFiles: ['tests/fixed-seed.ts'],
          testTimeout: 20_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'daemon',
          setupFiles: ['tests/fixed-seed.ts'],
          include: ['tests/daemon/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'linux',
          setupFiles: ['tests/fixed-seed.ts'],
          include: ['tests/linux/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Each file has a desktop of its own, and applications are waited for most of the time.
          maxWorkers: 3,
        },
      },
    ],
  },
});
