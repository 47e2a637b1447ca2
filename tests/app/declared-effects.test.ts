import { describe, expect, it } from 'vitest';
import { commands } from '../../src/commands/index.generated.ts';
import { toolFacts } from '../../src/app/tool-facts.ts';
import { isPossible, SECURITY_MODES, type SecurityMode } from '../../src/model/policy/verdict.ts';
import { policyOf } from '../../src/policy/rules/rules.ts';
import { createRegistry, type RegisteredCommand } from '../../src/registry/registry.ts';
import { requestAbout } from '../../src/registry/wrappers/apply-policy.ts';
import { openConnection } from '../../src/surfaces/mcp/tools/open-connection.ts';
import { toolsetNames } from '../../src/surfaces/mcp/tools/toolsets.ts';
import { deskWorld } from '../surfaces/mcp/resources/desk-world.ts';

const registry = createRegistry(commands);
const all = registry.commands;

function policyIn(mode: SecurityMode) {
  return policyOf([{ source: 'a test', mode, except: [], rules: [] }]);
}

function hasEffects({ definition: { kind, isReadOnly } }: RegisteredCommand): boolean {
  return kind !== 'read' && isReadOnly !== true;
}

const names = (some: readonly RegisteredCommand[]): string[] => some.map(({ name }) => name).toSorted();

describe('every command with effects', () => {
  const effectful = all.filter((command) => hasEffects(command));

  it('has a dry run, or says why it has none', () => {
    const without = effectful.filter(
      ({ definition, input }) => definition.runsIn !== 'client' && !('dry_run' in input.shape),
    );
    for (const { name, definition } of without)
      expect([name, (definition.noDryRun ?? '').length > 20]).toEqual([name, true]);
    // What reaches applications always has one.
    expect(without.filter(({ definition: { kind } }) => kind === 'act' || kind === 'input')).toEqual([]);
  });

  it('says nothing about a dry run that it has', () => {
    const both = all.filter(
      ({ definition: { noDryRun }, input }) => noDryRun !== undefined && 'dry_run' in input.shape,
    );
    expect(names(both)).toEqual([]);
  });

  it('does no less with the input key that goes beyond reading', () => {
    const beyond = all.filter(({ definition: { beyondReading } }) => beyondReading !== undefined);
    for (const command of beyond) {
      const key = command.definition.beyondReading ?? '';
      expect(requestAbout(command)?.isReadOnly).toBe(true);
      expect(requestAbout(command, { [key]: true })?.isReadOnly).toBe(false);
    }
  });
});

describe.each(SECURITY_MODES)('in the mode %s', (mode) => {
  const policy = policyIn(mode);
  const possible = all.filter((command) => isPossible(policy, requestAbout(command)));

  it('what a command declares decides whether it is possible', () => {
    const forbidden = all.filter((command) => !possible.includes(command));
    // Reading and stopping always are.
    expect(names(forbidden.filter((command) => !hasEffects(command)))).toEqual([]);
    expect(forbidden.filter(({ definition }) => definition.isUrgent === true)).toEqual([]);
    const acting = all.filter((command) => hasEffects(command) && command.definition.isUrgent !== true);
    const least = mode === 'sandboxed' ? names(acting) : [];
    expect(names(forbidden)).toEqual(expect.arrayContaining(least));
    expect(mode === 'normal' ? names(forbidden) : []).toEqual([]);
  });

  it('a client lists exactly the tools that are possible, of every toolset and dialect', async () => {
    const { app } = deskWorld([]);
    const facts = all.flatMap((command) => toolFacts(command) ?? []);
    const connection = await openConnection({
      app: { ...app, policyOf: async () => policy },
      caller: { environment: { DISPLAY: ':1' }, cwd: '/' },
      version: '1',
      options: { toolsets: toolsetNames(facts), isReadOnly: false, structured: 'always', session: undefined },
      hasSessionArgument: false,
    });
    await connection.toolsKnown;
    const listed = new Set(connection.tools.map(({ definition }) => definition.name));
    const hidden = new Set(connection.hiddenTools?.map(({ definition }) => definition.name));
    for (const command of all.filter(({ toolName }) => toolName !== undefined)) {
      // The command behind the terminal tools has other names there.
      const tool = command.name === 'terminal-call' ? 'terminal' : (command.toolName ?? '');
      const is = possible.includes(command);
      expect([tool, listed.has(tool), hidden.has(tool)]).toEqual([tool, is, !is]);
    }
    // A tool that asks the policy nothing could never be hidden.
    for (const { definition, asks } of [...connection.tools, ...(connection.hiddenTools ?? [])]) {
      const isUrgent = all.some(
        (one) => one.toolName === definition.name && one.definition.isUrgent === true,
      );
      expect([definition.name, (asks ?? []).length > 0]).toEqual([definition.name, !isUrgent]);
    }
    await connection.close();
  });
});
