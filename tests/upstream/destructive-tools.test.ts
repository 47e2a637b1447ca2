import { afterEach, beforeEach, expect, it } from 'vitest';
import { failureOf, never, openStage, plainCall, type Stage } from './support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const LISTED = [
  { name: 'write', annotations: { destructiveHint: true, readOnlyHint: true } },
  { name: 'keep', annotations: { destructiveHint: false } },
  { name: 'plain' },
  // A server that says so is not believed.
  { name: 'deleteAll', annotations: { destructiveHint: false, readOnlyHint: true } },
  { name: 'odd', annotations: { destructiveHint: 'no' } },
  { name: 'odder', annotations: 5 },
].map((tool) => ({ ...tool, inputSchema: { type: 'object' } }));

it('knows which tools lose something by what their server says, and by their names', async () => {
  const list = JSON.stringify({ result: { tools: LISTED } });
  await stage.configure({ fix: stage.fixture('--reply', 'tools/list', list) });
  const { servers } = await stage.port.list('', never);
  expect(servers[0]?.tools.map(({ ownName, loses }) => [ownName, loses])).toEqual([
    ['write', 'its server says that it may destroy something'],
    ['keep', undefined],
    ['plain', undefined],
    ['deleteAll', 'its name says that something is lost, sent or paid'],
    ['odd', undefined],
    ['odder', undefined],
  ]);
});

it('asks a guard about the tool as it is now, before its server hears of the call', async () => {
  const list = JSON.stringify({ result: { tools: LISTED } });
  await stage.configure({ fix: stage.fixture('--reply', 'tools/list', list) });
  const guard = ({ loses }: { readonly loses?: string | undefined }): void => {
    if (loses !== undefined) throw new Error('asked');
  };
  await expect(stage.port.call('fix__write', {}, { ...plainCall, guard })).rejects.toThrow('asked');
  await failureOf(stage.port.call('fix__plain', {}, { ...plainCall, guard }));
  expect((await stage.happened()).flatMap(({ call }) => (call === undefined ? [] : [call]))).toEqual([
    'plain',
  ]);
});
