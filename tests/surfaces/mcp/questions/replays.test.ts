import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { serveLines } from '../../../../src/surfaces/mcp/connections/serve-lines.ts';
import { isRecord } from '../../../../src/model/is-record.ts';
import { FakeConnection } from '../support/fake-connection.ts';
import { streamPair } from '../support/line-client.ts';
import { painter } from './support.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** A client that writes the protocol by hand. */
function scene() {
  const [near, far] = streamPair();
  const runs: unknown[] = [];
  const tool = painter({ runs });
  const other = { ...tool, definition: { ...tool.definition, name: 'spray' } };
  const connection = new FakeConnection([tool, other]);
  const gone = serveLines({ stream: far, version: '1', open: async () => connection });
  endings.push(async () => {
    near.destroy();
    far.destroy();
    await gone;
  });
  let id = 0;
  const call = async (params: Record<string, unknown>) => {
    id += 1;
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    };
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'paint', ...params, _meta } };
    near.write(`${JSON.stringify(message)}\n`);
    const [line] = await once(near, 'data');
    const answer: unknown = JSON.parse(String(line));
    if (!isRecord(answer)) throw new Error('no answer');
    return answer;
  };
  const state = async (input: object = {}): Promise<string> => {
    const { result } = await call({ arguments: input });
    if (!isRecord(result) || typeof result['requestState'] !== 'string') throw new Error('not asked');
    expect(result['resultType']).toBe('input_required');
    return result['requestState'];
  };
  return { call, state, runs };
}

const inputResponses = { colour: { action: 'accept', content: { colour: 'g' } } };

function refusal(reason: string) {
  return { error: { code: -32_602, data: { reason } } };
}

it('accepts a state once', async () => {
  const { call, state, runs } = scene();
  const requestState = await state();
  expect(await call({ arguments: {}, requestState, inputResponses })).toMatchObject({ result: {} });
  expect(await call({ arguments: {}, requestState, inputResponses })).toMatchObject(
    refusal('request_state_used'),
  );
  expect(runs).toHaveLength(1);
});

it('accepts the same arguments in another order, and refuses others', async () => {
  const { call, state, runs } = scene();
  const requestState = await state({ a: 1, b: { c: [2], d: 3 } });
  for (const input of [{}, { a: 1, b: { c: [2], d: 4 } }, { a: '1', b: { c: [2], d: 3 } }])
    expect(await call({ arguments: input, requestState, inputResponses })).toMatchObject(
      refusal('request_state_of_another_call'),
    );
  const other = { name: 'spray', arguments: { a: 1, b: { c: [2], d: 3 } } };
  expect(await call({ ...other, requestState, inputResponses })).toMatchObject(
    refusal('request_state_of_another_call'),
  );
  expect(runs).toEqual([]);
  const same = { arguments: { b: { d: 3, c: [2] }, a: 1 }, requestState, inputResponses };
  expect(await call(same)).toMatchObject({ result: {} });
});

it("refuses another client's state, a changed state, and answers without one", async () => {
  const { call, state, runs } = scene();
  const theirs = await scene().state();
  const ours = await state();
  const [payload = '', signature = ''] = ours.split('.');
  const forged = Buffer.from(payload, 'base64url').toString('utf8').replace('"round":1', '"round":0');
  const changed = [
    theirs,
    '',
    'x',
    `${payload}.`,
    `${payload}.${signature}.`,
    `${payload}.${signature}=`,
    `${payload}.${signature.slice(0, -1)}`,
    `${Buffer.from(forged).toString('base64url')}.${signature}`,
    'x'.repeat(2_000_000),
  ];
  for (const requestState of changed)
    expect(await call({ arguments: {}, requestState, inputResponses })).toMatchObject(
      refusal('request_state_unknown'),
    );
  expect(await call({ arguments: {}, inputResponses })).toMatchObject({
    result: { resultType: 'input_required' },
  });
  for (const requestState of [7, {}, null])
    expect(await call({ arguments: {}, requestState, inputResponses })).toMatchObject({
      error: { code: -32_602 },
    });
  expect(runs).toEqual([]);
});

it('asks again when the answer is missing, and gives up in the end', async () => {
  const { call, state, runs } = scene();
  let requestState = await state();
  for (let round = 2; round <= 8; round += 1) {
    const { result } = await call({
      arguments: {},
      requestState,
      inputResponses: { other: { action: 'accept' } },
    });
    if (!isRecord(result) || typeof result['requestState'] !== 'string') throw new Error(`round ${round}`);
    requestState = result['requestState'];
  }
  const last = await call({ arguments: {}, requestState, inputResponses: {} });
  expect(JSON.stringify(last)).not.toContain('input_required');
  expect(runs).toEqual([]);
});

it('ignores an answer to a question that was not asked', async () => {
  const { call, state, runs } = scene();
  const requestState = await state({ second: true });
  const both = { ...inputResponses, sure: { action: 'accept', content: { sure: true } } };
  const { result } = await call({ arguments: { second: true }, requestState, inputResponses: both });
  expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { sure: {} } });
  expect(runs).toEqual([]);
});
