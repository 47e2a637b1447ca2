import * as fc from 'fast-check';
import { vi } from 'vitest';

/** `npm run test:deep` runs this many times the cases of `npm test`, but no property for longer than the limit. */
const DEEPER = 50;
const DEEP_LIMIT_MS = 30_000;

// A fixed seed makes each run the same; set another one to try other cases.
const seed = Number(process.env['DESKTERITY_TEST_SEED'] ?? 20_261_122);
fc.configureGlobal({ seed });

// The deep run also overrides the seed and the number of cases that a property sets for itself.
if (process.env['DESKTERITY_TEST_DEEP'] !== undefined)
  vi.doMock('fast-check', async (importOriginal) => {
    const original = await importOriginal<typeof fc>();
    const assert = <Values>(property: fc.IRawProperty<Values>, options?: fc.Parameters<Values>) =>
      original.assert(property, {
        ...options,
        seed,
        numRuns: (options?.numRuns ?? 100) * DEEPER,
        interruptAfterTimeLimit: DEEP_LIMIT_MS,
      });
    return { ...original, assert };
  });
