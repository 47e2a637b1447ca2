import { expect, test, vi } from 'vitest';
import { echoed } from '../../../../src/surfaces/mcp/http/echo.ts';
import { initialize, JSON_HEADERS, raw, useHttpLab } from './support.ts';

const lab = useHttpLab();

test('messages are indented by two and marked by direction', () => {
  expect(echoed('received', { id: 1, params: { a: [true] } })).toBe(
    '→ STDIN: {\n  "id": 1,\n  "params": {\n    "a": [\n      true\n    ]\n  }\n}',
  );
  expect(echoed('sent', 'plain\ntext')).toBe('← STDOUT: plain\ntext');
  expect(echoed('refused', {})).toBe('⚠ STDERR: {}');
});

test('characters that control a terminal are shown, not printed', () => {
  const text = echoed('sent', { text: '\u001B[2J\u009B\u202E' }) + echoed('sent', 'a\u001B[2J\u202E');
  // oxlint-disable-next-line no-control-regex -- these are the characters
  expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
});

test('what is deep or long is cut', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(echoed('received', deep)).toContain('nested too deeply');
  expect(echoed('sent', { text: 'x'.repeat(1_000_000) }).length).toBeLessThan(21_000);
});

test('a server tells requests, progress, answers and refusals, but no headers', async () => {
  const echoes: string[] = [];
  await lab().start({ onEcho: (text) => echoes.push(text), token: 'secret-token' });
  const authorization = 'Bearer secret-token';
  const { client } = await lab().client('legacy', { requestInit: { headers: { authorization } } });
  await client.callTool({ name: 'talk', arguments: { steps: 1 } }, { onprogress: () => undefined });
  await raw(lab().url, { method: 'POST', headers: { ...JSON_HEADERS, authorization }, body: 'nonsense' });
  await raw(lab().url, { method: 'POST', headers: JSON_HEADERS, body: initialize() });
  await vi.waitFor(() => expect(echoes.filter((text) => text.startsWith('⚠'))).toHaveLength(2));
  const all = echoes.join('\n');
  expect(all).toMatch(/→ STDIN: \{\n {2}"method": "initialize"/);
  expect(all).toMatch(/← STDOUT: \{[^]*"notifications\/progress"[^]*← STDOUT: \{[^]*"said"/);
  expect(all).toContain('"protocolVersion"');
  expect(all).not.toContain('secret-token');
});
