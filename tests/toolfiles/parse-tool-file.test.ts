import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeProblem, toolInvalid } from '../../src/toolfiles/files/problem.ts';
import { LARGEST_TOOL_FILE_BYTES } from '../../src/toolfiles/files/parse-tool-file.ts';
import { parse } from './support/tool-file.ts';

const GOOD = { name: 'git', description: 'Version control.', command: 'git' };

/** What is said of a file, as `line:column pointer message | suggestion`. */
function said(content: string | Uint8Array | object): string[] {
  return (parse(content).problems ?? []).map(
    ({ line, column, pointer, message, suggestion }) =>
      `${line}:${column} ${pointer} ${message} | ${suggestion}`,
  );
}

it('accepts a file with everything', () => {
  const { tool, problems } = parse({
    ...GOOD,
    $schema: '../schemas/tool-file.json',
    enabled: true,
    timeout_seconds: 600,
    synchronous: true,
    subcommand: [
      {
        name: 'commit',
        description: 'Record changes.',
        options: [{ name: 'message', type: 'string', description: 'Message.', required: true }],
        positional_args: [
          { name: 'paths', type: 'array', description: 'Files.', format: 'path', after_double_dash: true },
        ],
      },
      { name: 'remote', description: 'Remotes.', subcommand: [{ name: 'add', description: 'Add one.' }] },
      { name: 'check', description: 'Both.', sequence: [{ subcommand: 'remote_add' }], step_delay_ms: 500 },
    ],
    sandbox: {
      read: ['~/.gitconfig', '$HOME/x', '/srv'],
      network: true,
      environment: { pass: ['A'], set: { B: '~/b' } },
    },
  });
  expect(problems).toBeUndefined();
  expect(tool?.subcommand?.[0]?.options?.[0]).toEqual({
    name: 'message',
    type: 'string',
    description: 'Message.',
    required: true,
  });
});

describe('problems have a place and a suggestion', () => {
  it.each<[string, string | object, string[]]>([
    [
      'an unknown key',
      '{\n  "name": "git",\n  "description": "x",\n  "command": "git",\n  "synchronos": true\n}',
      [
        '5:3 /synchronos "synchronos" is not a key of a tool file | Did you mean "synchronous"? Otherwise remove it.',
      ],
    ],
    [
      'an unknown key deep inside, and a missing one',
      '{\n  "name": "git", "description": "x", "command": "git",\n  "subcommand": [\n    { "nam": "log", "description": "x" }\n  ]\n}',
      [
        '4:5 /subcommand/0 a subcommand needs "name" | Add "name": a string.',
        '4:7 /subcommand/0/nam "nam" is not a key of a subcommand | Did you mean "name"? Otherwise remove it.',
      ],
    ],
    [
      'wrong types',
      { ...GOOD, timeout_seconds: '600', enabled: 'yes', options: {} },
      [
        '5:22 /timeout_seconds "timeout_seconds" is "600"; it must be a number | Correct it.',
        '6:14 /enabled "enabled" is "yes"; it must be true or false | Correct it.',
        '7:14 /options "options" is an object; it must be a list | Correct it.',
      ],
    ],
    [
      'a wrong word',
      { ...GOOD, options: [{ name: 'a', type: 'strin', description: 'x' }] },
      [
        '8:15 /options/0/type "type" is "strin"; it must be one of "string", "boolean", "integer", "number", "array" | Did you mean "string"?',
      ],
    ],
    [
      'numbers out of range',
      { ...GOOD, timeout_seconds: 0 },
      ['5:22 /timeout_seconds "timeout_seconds" must be at least 1 | Correct it.'],
    ],
    [
      'an underscore in a subcommand',
      { ...GOOD, subcommand: [{ name: 'status_check', description: 'x' }] },
      [
        '7:15 /subcommand/0/name "name" is "status_check"; it must consist of letters, digits and "-"; "_" separates the levels of a tool name | Correct it.',
      ],
    ],
    [
      'a name that clients do not take',
      { ...GOOD, name: 'git tool' },
      ['2:11 /name "name" is "git tool"; it must consist of letters, digits, "_" and "-" | Correct it.'],
    ],
    [
      'a name that is too long with its subcommand',
      { ...GOOD, name: 'g'.repeat(40), subcommand: [{ name: 's'.repeat(40), description: 'x' }] },
      [
        `7:15 /subcommand/0/name the tool would be called ${'g'.repeat(40)}_${'s'.repeat(40)}, which is 81 characters long; clients accept at most 64 | Shorten the names; "words" sets what is written on the command line.`,
      ],
    ],
    [
      'a command with arguments',
      { ...GOOD, command: 'git status' },
      ['4:14 /command "command" is "git status"; it must be one program without arguments | Correct it.'],
    ],
    [
      'a parameter that says how a tool is run',
      { ...GOOD, options: [{ name: 'working-directory', type: 'string', description: 'x' }] },
      [
        '7:15 /options/0/name "working-directory" is reserved for how a tool is run | Choose another name, and write the flag as "flag": "--working-directory".',
      ],
    ],
    [
      'two parameters that callers would write alike',
      {
        ...GOOD,
        options: [{ name: 'dry-run', type: 'boolean', description: 'x' }],
        positional_args: [{ name: 'dry_run', type: 'string', description: 'x' }],
      },
      [
        '14:15 /positional_args/0/name callers would write "dry_run", which is already the option "dry-run" | Choose another name; "flag" sets how the option is written.',
      ],
    ],
    [
      'an option of a level above',
      {
        ...GOOD,
        options: [{ name: 'file', type: 'string', description: 'x' }],
        subcommand: [
          { name: 'up', description: 'x', options: [{ name: 'file', type: 'string', description: 'x' }] },
        ],
      },
      [
        '18:19 /subcommand/0/options/0/name callers would write "file", which is already an option of git | Choose another name; "flag" sets how the option is written.',
      ],
    ],
    [
      'arguments in the wrong order',
      {
        ...GOOD,
        positional_args: [
          { name: 'files', type: 'array', description: 'x' },
          { name: 'to', type: 'string', description: 'x', required: true },
        ],
      },
      [
        '8:15 /positional_args/0/type "files" takes any number of arguments, so nothing can follow it | Put the list last.',
        '15:19 /positional_args/1/required "to" is required, but follows "files", which is optional | Put required arguments first.',
      ],
    ],
    [
      'a switch with a value',
      {
        ...GOOD,
        options: [
          { name: 'a', type: 'boolean', description: 'x', format: 'path', required: true, default: 'x' },
        ],
      },
      [
        '10:17 /options/0/format "format" has no effect on a boolean, which is a switch without a value | Remove it, or choose another type.',
        '11:19 /options/0/required "required" has no effect on a boolean, which is a switch without a value | Remove it, or choose another type.',
        '12:18 /options/0/default the default must be true or false | Correct it, or remove it.',
      ],
    ],
    [
      'a default that is not offered',
      { ...GOOD, options: [{ name: 'a', type: 'string', description: 'x', enum: ['b', 'c'], default: 'd' }] },
      ['14:18 /options/0/default the default must be one of b, c | Correct it, or remove it.'],
    ],
    [
      'a sequence without its command',
      { ...GOOD, sequence: [{ tool: 'git' }] },
      [
        '5:15 /sequence a "sequence" of a tool needs "command": "sequence" | Write "command": "sequence", or move the sequence into a subcommand.',
      ],
    ],
    [
      'a sequence with a sandbox, which its steps would not be held to',
      {
        name: 'both',
        description: 'x',
        command: 'sequence',
        sequence: [{ tool: 'git' }],
        sandbox: { scope: 'packages/app' },
      },
      [
        '10:14 /sandbox a sequence has no "sandbox"; each step uses that of the tool it calls | Remove it, and add it to the tool of the step.',
      ],
    ],
    [
      'the command of a sequence without steps',
      { ...GOOD, command: 'sequence' },
      [
        '4:14 /command the command "sequence" needs "sequence" | Add "sequence": [{"tool": …, "subcommand": …}], or name the program.',
      ],
    ],
    [
      'a step that names another tool inside a subcommand',
      {
        ...GOOD,
        subcommand: [{ name: 'both', description: 'x', sequence: [{ tool: 'npm', subcommand: 'test' }] }],
      },
      [
        '11:11 /subcommand/0/sequence/0/tool "tool" is not a key of a step inside a subcommand | Remove it; the keys are subcommand, args, description.',
      ],
    ],
    [
      'subcommands with arguments beside them',
      {
        ...GOOD,
        positional_args: [],
        subcommand: [
          { name: 'a', description: 'x' },
          { name: 'a', description: 'x' },
        ],
      },
      [
        '5:22 /positional_args a tool with subcommands takes no arguments itself | Move them into a subcommand; "default" means the command itself.',
        '12:15 /subcommand/1/name there is already a subcommand "a", the first of this list | Merge the two, or give one of them another name and "words".',
      ],
    ],
    [
      'an availability check for a shell',
      { ...GOOD, availability_check: 'which git && true' },
      [
        '5:25 /availability_check "availability_check" is not run by a shell, so it takes no quotes, variables or operators | Write a program and plain words, such as "cargo nextest --version".',
      ],
    ],
    [
      'paths of the sandbox',
      {
        ...GOOD,
        sandbox: {
          read: ['/', '~other/x', '../x', '~/*.txt'],
          write: ['~', '$HOME/'],
          scope: '../up',
          environment: { set: { HOME: '/x' }, pass: ['A B'] },
        },
      },
      [
        '22:9 /sandbox/environment/pass/0 item 1 of "pass" is "A B"; it must be the name of an environment variable, such as CARGO_HOME | Correct it.',
      ],
    ],
    [
      'paths of the sandbox that open too much',
      {
        ...GOOD,
        sandbox: {
          read: ['/', '~other/x', '../x', '~/*.txt'],
          write: ['~', '$HOME/'],
          scope: '../up',
          environment: { set: { HOME: '/x' } },
        },
      },
      [
        '7:7 /sandbox/read/0 "read" contains "/", the whole machine, which would leave no sandbox | Name the folders that are needed.',
        '8:7 /sandbox/read/1 "~" can only mean your own home, not that of another user | Write the absolute path.',
        '9:7 /sandbox/read/2 a path with ".." can lead anywhere | Write the resulting path.',
        '10:7 /sandbox/read/3 paths cannot contain patterns or variables other than "$HOME" | Name the folder; everything in it is included.',
        '13:7 /sandbox/write/0 write access to your home would allow changing programs that you run later | Name the folders in it that are needed.',
        '14:7 /sandbox/write/1 write access to your home would allow changing programs that you run later | Name the folders in it that are needed.',
        '16:14 /sandbox/scope the scope of a tool can only be a folder inside the scope it is used in | Write a path relative to that scope, without "..", such as "packages/app".',
        '19:17 /sandbox/environment/set/HOME HOME is set to a folder made for the scope, to protect your own | Use a variable of the program, such as GIT_CONFIG_GLOBAL or CARGO_HOME.',
      ],
    ],
    [
      'a name of our own',
      { ...GOOD, name: 'sandboxed_shell' },
      ['2:11 /name "sandboxed_shell" is reserved for Deskterity\'s own tools | Choose another name.'],
    ],
  ])('%s', (_, content, expected) => {
    expect(said(content)).toEqual(expected);
  });

  it('describes a problem for messages', () => {
    const { problems = [] } = parse({ ...GOOD, timeout_seconds: 0, nonsense: 1 }, 'tools/git.json');
    expect(problems.map((problem) => describeProblem(problem))).toEqual([
      'tools/git.json, line 5, column 22 (/timeout_seconds): "timeout_seconds" must be at least 1',
      'tools/git.json, line 6, column 3 (/nonsense): "nonsense" is not a key of a tool file',
    ]);
    expect(toolInvalid(problems)).toMatchObject({ code: 'TOOL_INVALID', suggestion: 'Correct it.' });
  });
});

describe('hostile bytes', () => {
  const text = JSON.stringify(GOOD);
  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '', '1:1  the file is empty'],
    ['space', ' \n ', '1:1  the file is empty'],
    ['a list', '[]', '1:1  a tool file must be a JSON object'],
    ['no JSON', '{"name": git}', '1:10  this is not JSON: invalid symbol'],
    ['half a file', text.slice(0, -5), '1:58  this is not JSON: unexpected end of string'],
    ['a comment', `// mine\n${text}`, '1:1  this is not JSON: invalid comment token'],
    ['a comma too much', '{"name":"a",}', '1:13  this is not JSON: property name expected'],
    ['two texts', `${text}${text}`, '1:64  this is not JSON: end of file expected'],
    ['UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le'), '1:1  the file is not UTF-8'],
    [
      'broken UTF-8',
      Buffer.concat([Buffer.from(text), Buffer.from([0xc3, 0x28])]),
      '1:1  the file is not UTF-8',
    ],
    [
      'too much',
      Buffer.alloc(LARGEST_TOOL_FILE_BYTES + 1, 32),
      `1:1  the file is ${LARGEST_TOOL_FILE_BYTES + 1} bytes long; at most ${LARGEST_TOOL_FILE_BYTES} are read`,
    ],
    [
      'a key twice',
      '{\n"name": "a",\n"command": "b",\n"name": "c"}',
      '4:1 /name "name" is already defined in line 2',
    ],
    ['__proto__', '{"__proto__": {"name": "a"}, "name": "b"}', '1:2 /__proto__ "__proto__" cannot be a key'],
    [
      '__proto__ among variables',
      '{"sandbox": {"environment": {"set": {"__proto__": "x"}}}}',
      '1:38 /sandbox/environment/set/__proto__ "__proto__" cannot be a key',
    ],
    [
      'NUL in a text',
      '{"name": "a\\u0000b"}',
      '1:10 /name a string contains a NUL character, which commands cannot receive',
    ],
    [
      'a change of direction',
      '{"name": "a", "description": "\u202e.siht tsurT"}',
      String.raw`1:30 /description a string contains \u{202E}, which hides its content`,
    ],
    [
      'a control sequence',
      String.raw`{"name": "a", "description": "\u001b[2K"}`,
      String.raw`1:30 /description a string contains \u{1B}, which hides its content`,
    ],
    ['NUL in a key', '{"a\\u0000": 1}', '1:2 /a\0 "a\\u0000" cannot be a key'],
    ['depth', `${'{"a":'.repeat(150)}1${'}'.repeat(150)}`, '1:506  values are nested more than 100 deep'],
    ['more depth than the parser stands', '['.repeat(200_000), '1:257  this is not JSON: nested too deeply'],
  ])('%s', (_, content, expected) => {
    const [first = ''] = said(content);
    expect(first.split(' | ')[0]).toBe(expected);
    expect(Object.prototype).not.toHaveProperty('name');
  });

  it('explains a limited number of problems quickly', () => {
    const keys = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`descriptio${n}`, 1]));
    const before = performance.now();
    expect(
      parse(JSON.stringify({ ...GOOD, ...keys }).slice(0, LARGEST_TOOL_FILE_BYTES)).problems,
    ).toHaveLength(1);
    const fewer = Object.fromEntries(Object.entries(keys).slice(0, 10_000));
    expect(parse(JSON.stringify({ ...GOOD, ...fewer })).problems).toHaveLength(50);
    const options = Array.from({ length: 290 }, () => ({ nam: 1 }));
    expect(parse(JSON.stringify({ ...GOOD, options })).problems).toHaveLength(50);
    expect(performance.now() - before).toBeLessThan(3000);
  });

  it('accepts a byte order mark, and counts columns without it', () => {
    expect(parse(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])).tool?.name).toBe('git');
  });

  it('reports problems of any bytes quickly, and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const { tool, problems } = parse(bytes);
        expect(tool === undefined ? (problems ?? []).length : 1).toBeGreaterThan(0);
      }),
    );
  });

  it('reports problems of any JSON', () => {
    const keys = fc.constantFrom(
      'name',
      'command',
      'description',
      'options',
      'subcommand',
      'type',
      'sandbox',
      'sequence',
      'args',
      'toString',
      'constructor',
      'x',
    );
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'medium' },
        fc.constantFrom('git', 'string', 'sequence', 'a_b', '', '../x', 0, -1, 1e9, 1.5, true, null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(keys, tie('value'), { maxKeys: 6 }),
      ),
    })).value;
    fc.assert(
      fc.property(fc.dictionary(keys, value), (data) => {
        const { tool, problems } = parse(JSON.stringify(data, undefined, 1));
        for (const problem of problems ?? []) {
          expect(problem.message).not.toMatch(/undefined|\[object/);
          expect(problem.line).toBeGreaterThan(0);
        }
        expect(tool === undefined ? (problems ?? []).length : 1).toBeGreaterThan(0);
      }),
      { numRuns: 250 },
    );
  });
});
