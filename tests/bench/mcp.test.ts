import { duplexPair } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { listFigures } from '../../bench/mcp.ts';
import { childCosts } from '../../bench/support/child-cost.ts';
import { bestMedian, CannotMeasure } from '../../bench/support/figures.ts';
import { wayFigures } from '../../bench/support/mcp-calls.ts';
import { holdingFigures, visitFigures } from '../../bench/support/mcp-crowd.ts';
import { eventsOf, HttpAsker } from '../../bench/support/mcp-http.ts';
import { LineAsker } from '../../bench/support/mcp-lines.ts';
import { together, wallFigure } from '../../bench/support/mcp-starts.ts';
import { serveHttp } from '../../src/surfaces/mcp/http/serve-http.ts';
import { serveLines } from '../../src/surfaces/mcp/connections/serve-lines.ts';
import { FakeConnection } from '../surfaces/mcp/support/fake-connection.ts';

const ENVIRONMENT = { PATH: process.env['PATH'] ?? '' };
const MIB = 1024 * 1024;

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

it('the best of five medians, in the order of the samples', () => {
  expect(bestMedian([9, 9, 1, 5, 5, 3, 8, 8, 2, 7, 7, 7, 6, 6, 6])).toBe(5);
  expect(bestMedian([4, 2])).toBe(2);
});

it('an asked server is timed to its first line, and its work after that is still counted', async () => {
  const server = `process.stdin.once('data', (text) => {
    setTimeout(() => process.stdout.write(text), 100);
    process.stdin.on('end', () => setTimeout(() => {
      const end = process.cpuUsage().user + 150_000;
      while (process.cpuUsage().user < end);
    }, 400));
  });`;
  const [cost] = await childCosts(
    [{ command: [process.execPath, '-e', server], says: 'hello\n' }],
    1,
    ENVIRONMENT,
  );
  expect(cost?.wallMs[0]).toBeGreaterThan(100);
  expect(cost?.cpuMs).toBeGreaterThan(150);
  const silent = [{ command: [process.execPath, '-e', '0'], says: 'hello\n' }];
  await expect(childCosts(silent, 1, ENVIRONMENT)).rejects.toThrow(CannotMeasure);
});

it.each(['legacy', 'modern'] as const)('a client of the %s era is understood over lines', async (era) => {
  const [near, far] = duplexPair();
  const gone = serveLines({ stream: far, version: '1', open: async () => new FakeConnection() });
  endings.push(async () => {
    near.destroy();
    far.destroy();
    await gone;
  });
  const asker = new LineAsker(near, near, era);
  await asker.greet();
  expect(await asker.listTools()).toMatchObject({ count: 2, text: expect.stringContaining('"echo"') });
  await asker.call('echo', { a: 1 });
  await expect(asker.call('ecko')).rejects.toThrow('Did you mean "echo"?');
});

it.each(['legacy', 'modern'] as const)('a client of the %s era is understood over HTTP', async (era) => {
  const serving = await serveHttp({
    version: '1',
    bind: '127.0.0.1',
    port: 0,
    token: undefined,
    isSseServed: false,
    toolsets: [],
    open: async () => new FakeConnection(),
  });
  endings.push(() => serving.close());
  const asker = new HttpAsker(serving.url, era);
  endings.unshift(() => asker.close());
  await asker.greet();
  expect(await asker.listTools()).toMatchObject({ count: 2 });
  await asker.call('echo', { a: 1 });
  await expect(asker.call('ecko')).rejects.toThrow('Did you mean "echo"?');
});

it('events without data are left out', () => {
  expect(eventsOf('id: 1\ndata: \n\nevent: message\ndata: {"a":\ndata: 1}\n\n')).toEqual(['{"a":\n1}']);
});

it('a failing tool is no measurement', async () => {
  const failing = { name: 'fails', inputSchema: { type: 'object' as const } };
  const call = async () => ({ isError: true, content: [{ type: 'text' as const, text: 'no such window' }] });
  const [near, far] = duplexPair();
  const open = async () => new FakeConnection([{ definition: failing, call }]);
  const gone = serveLines({ stream: far, version: '1', open });
  endings.push(async () => {
    near.destroy();
    far.destroy();
    await gone;
  });
  const asker = new LineAsker(near, near, 'legacy');
  await asker.greet();
  await expect(asker.call('fails')).rejects.toThrow('no such window');
});

it('ways are judged by what they add to the command, stdio alone', () => {
  const same = (value: number) => Array.from({ length: 10 }, () => value);
  const stdio = 'stdio (desk mcp, warm daemon)';
  const times = (ms: number) => [
    { name: 'in process', ms: same(1) },
    { name: stdio, ms: same(ms) },
    { name: 'HTTP, legacy era', ms: same(9) },
  ];
  expect(wayFigures('version', times(2.9))).toMatchObject([
    { value: 1.9, baseline: 1, ratio: 2.9, met: true },
    { value: 8, baseline: 1 },
  ]);
  const [late, http] = wayFigures('version', times(3));
  expect(late).toMatchObject({ value: 2, met: false });
  expect(http?.goal).toBeUndefined();
});

it('core alone is held to a number of tools and of tokens', () => {
  const words = (count: number) => Array.from({ length: count }, () => ' window').join('');
  expect(listFigures('core', { count: 25, text: words(4000) })).toMatchObject([
    { value: 4000, met: true },
    { value: 25, met: true },
  ]);
  expect(listFigures('core', { count: 26, text: words(6001) })).toMatchObject([
    { met: false },
    { met: false },
  ]);
  const [all, ...others] = listFigures('all', { count: 40, text: words(9000) });
  expect(all).toMatchObject({ value: 9000 });
  expect(all?.goal).toBeUndefined();
  expect(others).toEqual([]);
});

it('starts are judged by the best of five medians of each', () => {
  const cost = (wallMs: readonly number[]) => ({ cpuMs: 1, cpuMedianMs: 1, wallMs });
  const baseline = { name: 'node -e 0', cost: cost([30, 20, 25, 40, 22]), goal: 2 };
  expect(wallFigure('ours', cost([60, 40, 50, 80, 90]), baseline)).toMatchObject({
    value: 40,
    baseline: 20,
    met: true,
  });
  expect(wallFigure('ours', cost([60, 41, 50, 80, 90]), baseline)).toMatchObject({ ratio: 2.05, met: false });
  expect(together([cost([1, 2]), { cpuMs: 0.5, cpuMedianMs: 3, wallMs: [3] }])).toEqual({
    cpuMs: 0.5,
    cpuMedianMs: 2,
    wallMs: [1, 2, 3],
  });
});

it('compares fifty clients with one', () => {
  const one = { wallMs: 100, callMs: [2, 2, 2], greetingMs: [50] };
  const many = { wallMs: 1000, callMs: [20, 20, 60], greetingMs: [100, 200, 300] };
  expect(visitFigures(one, many)).toMatchObject([
    { value: 1000, baseline: 100, ratio: 10, note: expect.stringContaining('3 calls per second') },
    { value: 200, baseline: 50, ratio: 4 },
    { value: 20, baseline: 2, ratio: 10 },
    { value: 60, baseline: 2, ratio: 30 },
  ]);
});

it('what is left of fifty clients is told', () => {
  const holding = (mib: number, files: number, keptBy: string) => ({
    weight: { resident: mib * MIB, objects: (mib / 2) * MIB },
    files,
    keptBy,
  });
  const [before, during] = [holding(100, 20, ''), holding(150, 70, '50 MCP clients')];
  expect(holdingFigures(before, during, holding(110, 20, ''))).toMatchObject([
    { value: 1 },
    { value: 0.5 },
    { value: 0, met: true },
    { value: 0, met: true },
  ]);
  const leaking = holdingFigures(before, during, holding(110, 21, '1 call, 2 MCP clients'));
  expect(leaking.slice(2)).toMatchObject([
    { value: 1, met: false },
    { value: 2, met: false },
  ]);
});
