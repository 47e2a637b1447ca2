import { describe, expect, it } from 'vitest';
import { commands } from '../../../../src/commands/index.generated.ts';
import { createRegistry } from '../../../../src/registry/registry.ts';
import { covers, higher, SCOPES } from '../../../../src/surfaces/mcp/access/scopes.ts';
import { allToolFacts } from '../../../../src/surfaces/mcp/tools/command-tools.ts';

const registry = createRegistry(commands);
const all = allToolFacts(registry.commands);

function definitionOf(command: string) {
  const found = registry.get(command);
  if (found === undefined) throw new Error(`no ${command}`);
  return found.definition;
}

describe('the scope of each tool is what its command does', () => {
  it.each(all.map((facts) => [facts.tool, facts] as const))('%s', (_, facts) => {
    const { kind, group, isReadOnly } = definitionOf(facts.command);
    const isReport = kind === 'read' || isReadOnly === true;
    const showsOthers =
      group === 'sessions' || group === 'terminals' || facts.command.startsWith('operation ');
    const expected = kind === 'act' || kind === 'input' ? 'act' : isReport && !showsOthers ? 'read' : 'admin';
    expect(facts.access).toBe(expected);
    // What is offered to clients that only read is at most reading; the reverse holds except for what shows others.
    expect(facts.access === 'read').toBe(facts.isReadOnly && !showsOthers);
  });

  it('programs and sessions need admin, whatever else joins the registry', () => {
    const needAdmin = all.filter(({ access }) => access === 'admin').map(({ command }) => command);
    expect(needAdmin).toEqual(
      expect.arrayContaining([
        'sandboxed-shell',
        'run-tool',
        'terminal-call',
        'stop',
        'session new',
        'session kill',
        'session list',
        'session view',
        'operation list',
        'operation status',
        'operation output',
        'operation await',
      ]),
    );
    expect(needAdmin).not.toEqual(expect.arrayContaining(['snapshot']));
  });
});

describe('scopes', () => {
  it('include those before them', () => {
    const granted = SCOPES.map((scope) => SCOPES.filter((needed) => covers([scope], needed)));
    expect(granted).toEqual([['read'], ['read', 'act'], ['read', 'act', 'admin']]);
    expect(SCOPES.filter((needed) => covers([], needed))).toEqual([]);
  });

  it.each([
    [['desk'], 'desk', true],
    [['admin'], 'desk', false],
    [['Admin', 'ADMIN', 'admin2', 'administrator'], 'read', false],
    [['__proto__', 'constructor'], 'read', false],
  ])('%j cover %s: %j', (granted, needed, expected) => {
    expect(covers(granted, needed)).toBe(expected);
  });

  it('are compared', () => {
    expect([higher('read', 'act'), higher('admin', 'read'), higher('act', 'act')]).toEqual([
      'act',
      'admin',
      'act',
    ]);
  });
});
