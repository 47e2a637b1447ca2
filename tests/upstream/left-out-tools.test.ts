import { describe, expect, it } from 'vitest';
import { headerProblem } from '../../src/upstream/tools/header-parameters.ts';
import { offeredTools } from '../../src/upstream/tools/offered-tools.ts';

const named = (header: unknown, type: unknown = 'string'): Record<string, unknown> => ({
  type,
  'x-mcp-header': header,
});
const withParameter = (parameter: unknown): Record<string, unknown> => ({
  type: 'object',
  properties: { region: parameter },
});

describe('tools that are left out', () => {
  it.each([
    ['nothing to copy', withParameter({ type: 'string' })],
    ['a string', withParameter(named('Region'))],
    ['an integer', withParameter(named('Count', 'integer'))],
    ['one inside another', withParameter({ type: 'object', properties: { name: named('Region') } })],
    ['one of this name', { type: 'object', properties: { 'x-mcp-header': { type: 'string' } } }],
    ['data that looks like one', withParameter({ type: 'string', default: named('A') })],
    ['no schema', undefined],
  ])('accepts %s', (_what, schema) => {
    expect(headerProblem(schema)).toBeUndefined();
  });

  it.each([
    ['no name', withParameter(named('')), '"" is not a name of a header'],
    ['a number for a name', withParameter(named(5)), '"5" is not a name of a header'],
    ['a name that could end the header', withParameter(named('A\r\nHost: b')), 'is not a name of a header'],
    ['a name with a colon', withParameter(named('A:b')), '"A:b" is not a name of a header'],
    ['a number', withParameter(named('A', 'number')), 'not a string, an integer or a boolean'],
    ['an object', withParameter(named('A', 'object')), 'not a string, an integer or a boolean'],
    [
      'two of one name',
      { type: 'object', properties: { a: named('Region'), b: named('REGION') } },
      'the header REGION is for two parameters',
    ],
    ['one in a list', withParameter({ type: 'array', items: named('A') }), 'stands where no parameter is'],
    ['one in a choice', { oneOf: [withParameter(named('A'))] }, 'stands where no parameter is'],
    ['one in a definition', { $defs: { a: named('A') } }, 'stands where no parameter is'],
    ['the whole input', named('A', 'object'), 'stands where no parameter is'],
  ])('refuses %s', (_what, schema, problem) => {
    expect(headerProblem(schema)).toContain(problem);
  });

  it('leaves out a tool that can only be called as a task', () => {
    const tools = [
      { name: 'long', inputSchema: { type: 'object' }, needsTask: true },
      { name: 'short', inputSchema: { type: 'object' }, needsTask: false },
    ];
    expect(offeredTools('web', { tools, others: 0, unreadable: 0 })).toMatchObject({
      tools: [{ name: 'web__short' }],
      leftOut: ['the tool "long", which can only be called as a task'],
    });
  });

  it('leaves out such a tool only where parameters are copied', () => {
    const tools = [
      { name: 'bad', inputSchema: withParameter(named('A:b')) },
      { name: 'good', inputSchema: withParameter(named('A')) },
    ];
    const listed = { tools, others: 0, unreadable: 0 };
    expect(offeredTools('web', { ...listed, copiesHeaders: true })).toMatchObject({
      tools: [{ name: 'web__good' }],
      leftOut: ['the tool "bad": "A:b" is not a name of a header'],
    });
    expect(offeredTools('web', listed).tools).toHaveLength(2);
  });
});
