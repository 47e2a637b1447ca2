import { expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.ts';
import { createMemoryStore } from '../../src/sessions/memory-store.ts';
import { TerminalEngines } from '../../src/sessions/terminal-engines.ts';
import { createClock } from '../../src/platform/node/clock.ts';
import { TerminalDesktop } from '../../src/terminal/desktop/terminal-desktop.ts';
import { FakeTerminals } from '../terminal/support/fake-terminals.ts';

it('keeps the engine of a frequently used terminal, however many others are used', async () => {
  const clock = createClock();
  const engines = new TerminalEngines(
    {
      terminalDesktop: async (view) => new TerminalDesktop(view, clock),
      createEngine: (parts) => createEngine({ ...parts, clock }),
    },
    'one',
    createMemoryStore(),
  );
  const port = new FakeTerminals();
  const kept = await engines.engine('term-kept', port);
  const other = await engines.engine('term-0', port);
  for (let count = 1; count <= 20; count += 1) {
    await engines.engine(`term-${count}`, port);
    expect(await engines.engine('term-kept', port)).toBe(kept);
  }
  expect(await engines.engine('term-0', port)).not.toBe(other);
  await engines.close();
});
