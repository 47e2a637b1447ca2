import { describe, expect, it } from 'vitest';
import { availabilityChecks, createAvailability } from '../../src/toolfiles/run/availability.ts';
import { createPrograms } from './support/programs.ts';
import { toolOf } from './support/tool-file.ts';

const places = { scope: '/scope', home: '/home/me', guarded: [] };
const base = { name: 'cargo', description: 'x', command: 'cargo', install_instructions: 'Install Rust.' };

describe('checks', () => {
  it.each<[string, object, object[]]>([
    ['the program itself', {}, [{ kind: 'find', program: 'cargo', instructions: 'Install Rust.' }]],
    [
      'a program of the scope',
      { command: './x.sh' },
      [{ kind: 'find', program: '/scope/x.sh', instructions: 'Install Rust.' }],
    ],
    [
      'what is asked of "which" is looked up by us',
      { availability_check: 'which cargo-nextest' },
      [
        { kind: 'find', program: 'cargo', instructions: 'Install Rust.' },
        { kind: 'find', program: 'cargo-nextest', instructions: 'Install Rust.' },
      ],
    ],
    [
      'what is asked of "command -v" too',
      { availability_check: 'command -v cargo' },
      [
        { kind: 'find', program: 'cargo', instructions: 'Install Rust.' },
        { kind: 'find', program: 'cargo', instructions: 'Install Rust.' },
      ],
    ],
    [
      'any other command is run',
      { availability_check: 'cargo  nextest --version' },
      [
        { kind: 'find', program: 'cargo', instructions: 'Install Rust.' },
        { kind: 'run', command: ['cargo', 'nextest', '--version'], instructions: 'Install Rust.' },
      ],
    ],
    ['a sequence has no program', { command: 'sequence', sequence: [{ tool: 'x' }] }, []],
  ])('%s', (_, more, expected) => {
    expect(availabilityChecks(toolOf({ ...base, ...more }), places)).toEqual(expected);
  });

  it('of all levels, each with its own instructions', () => {
    const tool = toolOf({
      ...base,
      subcommand: [
        {
          name: 'nextest',
          description: 'x',
          availability_check: 'which cargo-nextest',
          install_instructions: 'Install nextest.',
          subcommand: [{ name: 'run', description: 'x' }],
        },
      ],
    });
    expect(availabilityChecks(tool, places).at(-1)).toEqual({
      kind: 'find',
      program: 'cargo-nextest',
      instructions: 'Install nextest.',
    });
  });
});

describe('on this machine', () => {
  const node = process.execPath;
  it.each<[string, object, object | undefined]>([
    ['a program that is there', { command: node }, undefined],
    [
      'one that is not',
      { command: 'no-such-program-at-all' },
      { reason: '"no-such-program-at-all" was not found', instructions: 'Install Rust.' },
    ],
    ['a check that succeeds', { command: node, availability_check: `${node} --version` }, undefined],
    [
      'a check that fails',
      { command: node, availability_check: `${node} /no/such/script` },
      { reason: `"${node} /no/such/script" exited with code 1`, instructions: 'Install Rust.' },
    ],
    [
      'a check that is not there',
      { command: node, availability_check: 'no-such-program --version' },
      { reason: '"no-such-program --version" did not exit in time', instructions: 'Install Rust.' },
    ],
  ])('%s', async (_, more, expected) => {
    expect(await createAvailability(createPrograms(), places)(toolOf({ ...base, ...more }))).toEqual(
      expected,
    );
  });

  it('runs each check once, however many tools have it', async () => {
    let runs = 0;
    const programs = createPrograms();
    const availability = createAvailability(
      {
        find: (program) => programs.find(program),
        run: (command, limits) => {
          runs += 1;
          return programs.run(command, limits);
        },
      },
      places,
    );
    const tool = toolOf({ ...base, command: node, availability_check: `${node} --version` });
    await Promise.all([availability(tool), availability(tool), availability(tool)]);
    expect(runs).toBe(1);
  });
});
