import { describe, expect, it } from 'vitest';
import { commandArguments } from '../../src/toolfiles/run/command-line.ts';
import { runnableTools, type RunnableTool } from '../../src/toolfiles/run/runnable-tool.ts';
import { sequenceCommands, sequenceIssues } from '../../src/toolfiles/run/sequences.ts';
import { goodFile, parse } from './support/tool-file.ts';

const sub = (name: string, more: object = {}) => ({ name, description: 'x', ...more });
const GIT = {
  name: 'git',
  description: 'x',
  command: 'git',
  subcommand: [
    sub('status'),
    sub('commit', { options: [{ name: 'message', type: 'string', description: 'x', required: true }] }),
    sub('remote', {
      subcommand: [
        sub('default'),
        sub('add', { positional_args: [{ name: 'name', type: 'string', description: 'x', required: true }] }),
      ],
    }),
  ],
};
const NPM = { name: 'npm', description: 'x', command: 'npm', subcommand: [sub('test')] };
const sequence = (name: string, steps: object[], more: object = {}) => ({
  name,
  description: 'x',
  command: 'sequence',
  sequence: steps,
  ...more,
});

function toolsOf(...files: object[]): Map<string, RunnableTool> {
  return new Map(files.flatMap((file) => runnableTools(goodFile(file))).map((tool) => [tool.name, tool]));
}

/** The command lines of a sequence, each behind its pause. */
function lines(tools: ReadonlyMap<string, RunnableTool>, name: string): string[] {
  const get = (wanted: string) => {
    const tool = tools.get(wanted);
    if (tool === undefined) throw new Error(`no ${wanted}`);
    return tool;
  };
  return sequenceCommands(get(name), {}, get).map(
    ({ tool, given, delayMs }) => `${delayMs}: ${[tool.program, ...commandArguments(tool, given)].join(' ')}`,
  );
}

function issues(tools: ReadonlyMap<string, RunnableTool>, name: string): string[] {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`no ${name}`);
  return [...sequenceIssues(tool, tools)].map(
    ({ path, message, suggestion }) => `${path.join('/')}: ${message} | ${suggestion}`,
  );
}

it('runs tools one after the other, with pauses between', () => {
  const all = toolsOf(GIT, NPM, sequence('check', [
    { tool: 'npm', subcommand: 'test' },
    { tool: 'git', subcommand: 'commit', args: { message: 'all is well' } },
    { tool: 'git', subcommand: 'remote' },
    { tool: 'git', subcommand: 'remote_add', args: { name: 'x' } },
  ], { step_delay_ms: 500 })); // prettier-ignore
  expect(issues(all, 'check')).toEqual([]);
  expect(lines(all, 'check')).toEqual([
    '0: npm test',
    '500: git commit --message all is well',
    '500: git remote',
    '500: git remote add x',
  ]);
});

it('calls nested sequences, each with its own pauses', () => {
  const all = toolsOf(
    NPM,
    {
      ...GIT,
      subcommand: [
        ...GIT.subcommand,
        sub('twice', { sequence: [{ subcommand: 'status' }, { subcommand: 'remote' }], step_delay_ms: 7 }),
      ],
    },
    sequence(
      'outer',
      [
        { tool: 'npm', subcommand: 'test' },
        { tool: 'git', subcommand: 'twice' },
        { tool: 'npm', subcommand: 'test' },
      ],
      { step_delay_ms: 100 },
    ),
  );
  expect(lines(all, 'outer')).toEqual(['0: npm test', '100: git status', '7: git remote', '100: npm test']);
});

describe('problems are reported before anything runs', () => {
  const all = toolsOf(
    GIT,
    NPM,
    sequence('unknown', [{ tool: 'gti', subcommand: 'status' }]),
    sequence('misspelt', [{ tool: 'git', subcommand: 'statsu' }]),
    sequence('whole', [{ tool: 'git' }]),
    sequence('wrong', [
      { tool: 'npm', subcommand: 'test' },
      { tool: 'git', subcommand: 'commit', args: { mesage: 'x' } },
    ]),
    sequence('missing', [{ tool: 'git', subcommand: 'commit' }]),
    sequence('typed', [{ tool: 'git', subcommand: 'commit', args: { message: 3 } }]),
    sequence('self', [{ tool: 'self' }]),
    sequence('ping', [{ tool: 'npm', subcommand: 'test' }, { tool: 'pong' }]),
    sequence('pong', [{ tool: 'ping' }]),
    sequence(
      'b1',
      Array.from({ length: 10 }, () => ({ tool: 'npm', subcommand: 'test' })),
    ),
    ...Array.from({ length: 12 }, (_, n) =>
      sequence(
        `b${n + 2}`,
        Array.from({ length: 100 }, () => ({ tool: `b${n + 1}` })),
      ),
    ),
  );
  it.each([
    ['unknown', ['0/subcommand: the tool "gti_status" does not exist | Did you mean git_status?']],
    ['misspelt', ['0/subcommand: the tool "git_statsu" does not exist | Did you mean git_status?']],
    [
      'whole',
      [
        '0/tool: the tool git has subcommands, so the step must select one | They are git_status, git_commit, git_remote, git_remote_add.',
      ],
    ],
    ['wrong', ['1/args: git_commit does not accept "mesage" | Did you mean message?']],
    ['missing', ['0/args: git_commit needs message | It accepts message.']],
    ['typed', ['0/args: git_commit does not accept this value for message | It accepts message.']],
    ['self', [': the sequence calls itself: self → self | Remove steps from the sequence.']],
    ['ping', [': the sequence calls itself: ping → pong → ping | Remove steps from the sequence.']],
    ['b13', [': the sequence has more than 100 commands | Remove steps from the sequence.']],
  ])('%s', (name, expected) => {
    const before = performance.now();
    expect(issues(all, name)).toEqual(expected);
    expect(performance.now() - before).toBeLessThan(2000);
  });

  it('quickly, however many there are', () => {
    const many = (count: number, more: (n: number) => object) => ({
      ...GIT,
      subcommand: [sub('status'), ...Array.from({ length: count }, (_, n) => sub(`s${n}`, more(n)))],
    });
    const chain = many(450, (n) => ({ sequence: [{ subcommand: n === 449 ? 'status' : `s${n + 1}` }] }));
    const unknown = many(400, (n) => ({
      sequence: Array.from({ length: 15 }, () => ({ subcommand: `x${n}` })),
    }));
    const before = performance.now();
    expect(parse(JSON.stringify(chain)).problems?.[0]?.message).toBe(
      'sequences call each other more than 20 deep',
    );
    expect(parse(JSON.stringify(unknown)).problems).toHaveLength(50);
    expect(performance.now() - before).toBeLessThan(3000);
  });

  it('inside a file, with its place', () => {
    const { problems } = parse({
      ...GIT,
      subcommand: [
        ...GIT.subcommand,
        sub('a', { sequence: [{ subcommand: 'b' }] }),
        sub('b', { sequence: [{ subcommand: 'a' }] }),
        sub('c', { sequence: [{ subcommand: 'status' }, { subcommand: 'comit' }] }),
      ],
    });
    expect(problems?.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
      '/subcommand/3/sequence the sequence calls itself: git_a → git_b → git_a',
      '/subcommand/4/sequence the sequence calls itself: git_b → git_a → git_b',
      '/subcommand/5/sequence/1/subcommand the tool "git_comit" does not exist',
    ]);
  });
});
