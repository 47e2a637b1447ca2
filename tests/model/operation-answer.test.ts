import { array, assert, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { shownCommand } from '../../src/model/tools/operation-answer.ts';

it('a command line is shown completely, or cut with a mark', () => {
  expect(shownCommand(['git', 'log', '', 'a b'])).toEqual(['git', 'log', '', 'a b']);
  expect(shownCommand(['bash', '-c', 'x'.repeat(100_000)])).toEqual(['bash', '-c', `${'x'.repeat(500)}…`]);
  expect(shownCommand(Array.from({ length: 100_000 }, () => '')).at(-1)).toBe('…');
});

it('an answer has room for it, however long it is', () => {
  const commands = array(string({ maxLength: 3000 }), { maxLength: 200 });
  assert(
    property(commands, (command) => {
      const shown = shownCommand(command);
      expect(shown.join(' ').length).toBeLessThan(2100);
      const isWhole = shown.length === command.length;
      const begun = isWhole ? shown : shown.slice(0, -1);
      expect(isWhole || shown.at(-1) === '…').toBe(true);
      for (const [index, text] of begun.entries())
        expect(command[index]?.startsWith(text.replace(/…$/, ''))).toBe(true);
    }),
  );
});
