import {
  byAnyStrategy,
  byPointer,
  CHANGE_OR_MENU_SEEN,
  CHANGE_SEEN,
} from '../../model/effects/guarantees.ts';
import { onElement } from '../element-command.ts';
import { interactionCommand } from '../receipt-command.ts';

export default interactionCommand({
  name: 'click',
  takesSeat: true,
  guarantee: { ...byAnyStrategy(CHANGE_SEEN), pointer: byPointer(CHANGE_OR_MENU_SEEN).pointer },
  title: 'Click an element',
  toolsets: ['core'],
  summary: 'Click an element: through accessibility where that does the same, else with the pointer.',
  description:
    'A row or a cell is selected; a double click opens it. A covered element is not clicked. Waits for the element to be enabled.',
  examples: [
    { about: 'Press a button', input: { ref: '@e2' } },
    {
      about: 'Press it without taking focus or pointer',
      input: { ref: '@e2', mode: 'background' },
    },
    { about: 'Press what a locator matches', input: { ref: 'role:button[name="Save"]' } },
    { about: 'Give a slow application more time', input: { ref: '@e2', timeout_ms: 30_000 } },
  ],
  ...onElement((engine, request) => engine.click(request)),
});
