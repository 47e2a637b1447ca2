import { describe, expect, it } from 'vitest';
import { runnableTools } from '../../src/toolfiles/run/runnable-tool.ts';
import { stepToolName } from '../../src/toolfiles/tool-names.ts';
import { goodFile, toolOf } from './support/tool-file.ts';

const base = { name: 'cargo', description: 'Rust.', command: 'cargo' };
const sub = (name: string, more: object = {}) => ({ name, description: `${name}.`, ...more });

it.each([
  ['a tool without subcommands', {}, ['cargo']],
  ['subcommands', { subcommand: [sub('build'), sub('test')] }, ['cargo_build', 'cargo_test']],
  [
    'two levels',
    { subcommand: [sub('nextest', { subcommand: [sub('run'), sub('list')] })] },
    ['cargo_nextest_run', 'cargo_nextest_list'],
  ],
  [
    'four levels',
    {
      subcommand: [
        sub('a', { subcommand: [sub('b', { subcommand: [sub('c', { subcommand: [sub('d')] })] })] }),
      ],
    },
    ['cargo_a_b_c_d'],
  ],
  [
    'the tool itself beside subcommands',
    { subcommand: [sub('default'), sub('build')] },
    ['cargo', 'cargo_build'],
  ],
  [
    'a subcommand itself beside others',
    { subcommand: [sub('remote', { subcommand: [sub('default'), sub('add')] })] },
    ['cargo_remote', 'cargo_remote_add'],
  ],
])('names of %s', (_, more, names) => {
  expect(runnableTools(goodFile({ ...base, ...more })).map(({ name }) => name)).toEqual(names);
});

it.each([
  ['cargo', undefined, 'cargo'],
  ['cargo', 'default', 'cargo'],
  ['cargo', 'build', 'cargo_build'],
  ['cargo', 'nextest_run', 'cargo_nextest_run'],
  ['cargo', 'remote_default', 'cargo_remote'],
])('a step of %s %s calls %s', (tool, subcommand, name) => {
  expect(stepToolName(tool, subcommand)).toBe(name);
});

describe('what a subcommand inherits', () => {
  const file = {
    ...base,
    synchronous: true,
    timeout_seconds: 100,
    read_only: true,
    sandbox: { read: ['~/.cargo'], network: false, environment: { pass: ['A'], set: { X: '1', Y: '1' } } },
    subcommand: [
      sub('inherits'),
      sub('differs', {
        synchronous: false,
        timeout_seconds: 5,
        read_only: false,
        sandbox: { network: true, read: ['/srv'], environment: { pass: ['B'], set: { Y: '2' } } },
      }),
      sub('outer', {
        synchronous: false,
        timeout_seconds: 7,
        subcommand: [sub('inherits'), sub('differs', { synchronous: true })],
      }),
      sub('off', { enabled: false, subcommand: [sub('below', { enabled: true })] }),
    ],
  };
  it.each([
    ['cargo_inherits', true, 100, true],
    ['cargo_differs', false, 5, false],
    ['cargo_outer_inherits', false, 7, true],
    ['cargo_outer_differs', true, 7, true],
  ])('%s', (name, isSynchronous, timeoutSeconds, isReadOnly) => {
    expect(toolOf(file, name)).toMatchObject({ isSynchronous, timeoutSeconds, isReadOnly });
  });

  it('is asynchronous with ten minutes by default', () => {
    expect(toolOf(base)).toMatchObject({ isSynchronous: false, timeoutSeconds: 600, isReadOnly: false });
  });

  it('a disabled level disables everything below', () => {
    expect(toolOf(file, 'cargo_off_below').isEnabled).toBe(false);
  });

  it('adds to and overrides the sandbox needs', () => {
    expect(toolOf(file, 'cargo_inherits').sandbox).toMatchObject({ network: false, read: ['~/.cargo'] });
    expect(toolOf(file, 'cargo_differs').sandbox).toMatchObject({
      network: true,
      read: ['~/.cargo', '/srv'],
      environment: { pass: ['A', 'B'], set: { X: '1', Y: '2' } },
    });
  });
});
