import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { commands } from '../../src/commands/index.generated.ts';
import { renderAnswer } from '../../src/app/render.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { Planned } from '../../src/model/effects/planned.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { commandLineSpeller } from '../../src/registry/command-line-speller.ts';
import type { CommandContext } from '../../src/registry/define.ts';
import { invoke } from '../../src/registry/invoke.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { fakeDesktop, fakeEngine } from '../commands/fake-engine.ts';

const registry = createRegistry(commands);

function commandOf(name: string) {
  const command = registry.get(name);
  if (command === undefined) throw new Error(`no command ${name}`);
  return command;
}

describe('a dry run', () => {
  const dry = (engine: Partial<Engine>, changes: Partial<CommandContext> = {}) =>
    fakeDesktop(
      {},
      { engine: async () => ({ ...fakeEngine({}), dryRun: () => fakeEngine(engine) }), ...changes },
    ).ctx;

  it('answers what would be done, and asks nothing of the engine that acts', async () => {
    const target = { ref: '@e4', role: 'button', name: 'Delete' };
    const ctx = dry({ click: () => Promise.reject(new Planned('', { target, via: 'accessibility' })) });
    const output = await invoke(commandOf('click'), ctx, { ref: '@e4', dry_run: true });
    expect(output).toEqual({ dry_run: true, would: 'click', target, via: 'accessibility' });
    const speller = commandLineSpeller(registry);
    const options = { format: 'outline', pretty: false, secrets: [], speller } as const;
    expect(renderAnswer(commandOf('click'), output, options)).toMatchObject({
      exitCode: 0,
      stdout: 'dry run, nothing was sent: would click\n  target: button "Delete" @e4\n  via accessibility\n',
    });
    expect(await (await ctx.undo()).list()).toEqual([]);
  });

  it('fails as the act would', async () => {
    const disabled = new DeskterityError('NOT_ACTIONABLE', 'It is disabled.', { suggestion: 'Wait.' });
    const ctx = dry({ click: () => Promise.reject(disabled) });
    await expect(invoke(commandOf('click'), ctx, { ref: '@e4', dry_run: true })).rejects.toBe(disabled);
  });

  it('is none unless it is asked for', async () => {
    const { ctx, calls } = fakeDesktop({ click: async () => ({ effect: 'confirmed' }) as never });
    await invoke(commandOf('click'), ctx, { ref: '@e4', dry_run: false });
    expect(calls).toMatchObject([{ method: 'click' }]);
    expect(
      z.looseObject({ request: z.object({ dry_run: z.never().optional() }) }).safeParse(calls[0]).success,
    ).toBe(true);
  });

  it('of a session names what would be deleted, and of a missing one fails', async () => {
    const missing = new DeskterityError('SESSION_NOT_FOUND', 'There is none.', { suggestion: 'List.' });
    const { ctx } = fakeDesktop();
    const sessions = {
      ...ctx.sessions,
      info: async (name: string) => {
        if (name === 'gone') throw missing;
        return { name, actions: 0, undo_depth: 0, subscriptions: 0, home_files: {} } as never;
      },
    };
    const kill = (name: string) =>
      invoke(commandOf('session kill'), { ...ctx, sessions }, { name, dry_run: true });
    expect(await kill('x')).toEqual({
      dry_run: true,
      would: 'session kill: end the session "x", and delete the files in its HOME',
    });
    await expect(kill('gone')).rejects.toBe(missing);
  });

  it('of several steps tells each, and fails only if the first is impossible', async () => {
    const ctx = dry({});
    const run = async (name: string, input: Record<string, unknown>) => {
      if (input['dry_run'] !== true) throw new Error('a real step');
      if (input['ref'] === '@e9')
        throw new DeskterityError('ELEMENT_NOT_FOUND', 'Nothing.', { suggestion: 'Look.' });
      return { dry_run: true, would: name, target: { role: 'button', name: 'OK' } };
    };
    const find = () =>
      ({ name: 'click', kind: 'act', group: 'interaction', keys: ['ref'], targetKeys: [] }) as never;
    const steps = (...refs: string[]) => refs.map((ref) => ({ command: 'click', ref }));
    const all = {
      ...ctx,
      commands: { ...ctx.commands, find, check: (_: string, given: object) => ({ ...given }), run },
    };
    const plan = (...refs: string[]) =>
      invoke(commandOf('do'), all, { steps: steps(...refs), dry_run: true });
    expect(await plan('@e1', '@e9')).toMatchObject({
      would: 'do: 1. click on button "OK"; 2. click: unknown until then: ELEMENT_NOT_FOUND: Nothing.',
    });
    await expect(plan('@e9')).rejects.toMatchObject({ code: 'ELEMENT_NOT_FOUND' });
  });
});
