import { expect, it } from 'vitest';
import { policyOfCaller } from '../../src/app/policies.ts';
import type { PolicyFileOptions, PolicyFileText } from '../../src/ports/policy/policy-file.ts';
import { ruled } from '../policy/policy-of.ts';

/** Files by path, and what each was asked for. */
function world(files: Readonly<Record<string, PolicyFileText>>) {
  const asked = new Map<string, PolicyFileOptions>();
  const policyFile = async (path: string, options: PolicyFileOptions) => {
    asked.set(path, options);
    return files[path];
  };
  return {
    asked,
    parts: { platform: { policyFile, pathFacts: () => ({}) }, commands: ruled(['click', 'type']) },
  };
}

const deny = (command: string): PolicyFileText => ({ table: { commands: { denied: [command] } } });
const CONFIG = '/home/ada/.config/deskterity';
const HOME = { HOME: '/home/ada' };

it('joins the rules of the user, of the project and of all folders around the caller', async () => {
  const { parts } = world({
    [`${CONFIG}/policy.toml`]: { table: { mode: 'safe' } },
    '/work/app/.deskterity/policy.toml': deny('click'),
    '/work/.deskterity/policy.toml': deny('type'),
  });
  const inside = await policyOfCaller(parts, { cwd: '/work/app/src/deep', environment: HOME }, CONFIG);
  expect(inside.mode).toBe('safe');
  expect(inside.decide({ command: 'click' })).toMatchObject({
    decision: 'deny',
    why: '/work/app/.deskterity/policy.toml denies it.',
  });
  expect(inside.decide({ command: 'type' }).decision).toBe('deny');
  const outside = await policyOfCaller(parts, { cwd: '/other', environment: HOME }, CONFIG);
  expect(outside.decide({ command: 'click' }).decision).toBe('allow');
});

it('reads the policies of the projects that an MCP client works in', async () => {
  const path = '/srv/one/.deskterity/policy.toml';
  const { parts, asked } = world({ [path]: deny('click') });
  const caller = { cwd: '/', environment: HOME, projectPolicies: [path] };
  const policy = await policyOfCaller(parts, caller, CONFIG);
  expect(policy.decide({ command: 'click' }).decision).toBe('deny');
  expect(asked.get(path)?.isOfProject).toBe(true);
});

it('refuses everything if a project’s policy has a mistake, and says in which file', async () => {
  const { parts } = world({
    '/work/.deskterity/policy.toml': { table: { applications: { except: ['/x'] } } },
  });
  const reading = policyOfCaller(parts, { cwd: '/work', environment: HOME }, CONFIG);
  await expect(reading).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('/work/.deskterity/policy.toml'),
  });
});

it('tells which folders tools may be confined to; a folder around HOME is never one', async () => {
  const { parts, asked } = world({});
  const environment = { ...HOME, AHMA_SANDBOX_SCOPE: '/srv/scope', DESKTERITY_SANDBOX_SCOPE: '/home' };
  await policyOfCaller(parts, { cwd: '/work', environment }, CONFIG);
  expect(asked.get(`${CONFIG}/policy.toml`)).toEqual({ isOfProject: false, scopes: ['/srv/scope', '/work'] });
});
