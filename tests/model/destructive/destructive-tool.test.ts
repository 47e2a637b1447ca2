import { expect, it } from 'vitest';
import { whyDestructiveTool } from '../../../src/model/destructive/destructive-tool.ts';

it.each([
  ['write_file', true, true],
  ['write_file', undefined, false],
  ['write_file', false, false],
  // A name that says so counts, whatever the server says about it.
  ['delete_file', undefined, true],
  ['deleteFile', false, true],
  ['issues.delete', undefined, true],
  ['send-message', undefined, true],
  ['отправить', undefined, true],
  ['list_deleted', undefined, false],
  ['send_typing_indicator', undefined, false],
  ['format', undefined, false],
  ['__proto__', undefined, false],
  ['', undefined, false],
] as const)('%s (destructiveHint: %s) is asked about: %s', (ownName, destructiveHint, isAsked) => {
  expect(whyDestructiveTool({ ownName, destructiveHint }) !== undefined).toBe(isAsked);
});
