import { describe, expect, it } from 'vitest';
import { judgeLine } from '../../src/operations/output/error-lines.ts';
import { tokensOf } from '../../src/operations/output/fit-tokens.ts';
import { readOutput } from '../../src/operations/output/output-reader.ts';
import type { OutputPart, OutputQuery } from '../../src/ports/operations.ts';
import { inFolder, stored } from './support/streams.ts';

function summary(text: string, maxTokens = 600): Promise<OutputPart> {
  return inFolder(async (folder) => {
    await stored(folder, [text], 8 * 1024 * 1024);
    return readOutput({ folder, kind: 'merged', isComplete: true }, { maxTokens });
  });
}

const noise = (count: number, word = 'compiling module') =>
  Array.from({ length: count }, (_, index) => `[${index}] ${word} ${index * 7}`).join('\n');

/** What tools print when something is wrong, and a line that must be found in it. */
const SAMPLES: readonly (readonly [tool: string, output: string, found: string])[] = [
  [
    'gcc',
    "main.c: In function 'main':\nmain.c:4:3: error: unknown type name 'foo'\n    4 |   foo x;\n      |   ^~~",
    'main.c:4:3: error',
  ],
  ['clang', "src/a.cc:10:5: fatal error: 'x.h' file not found", 'fatal error'],
  [
    'ld',
    "/usr/bin/ld: a.o: in function `main':\na.c:(.text+0x9): undefined reference to `foo'\ncollect2: error: ld returned 1 exit status",
    'undefined reference',
  ],
  ['tsc', "src/x.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.", 'TS2322'],
  ['tsc pretty', 'src/x.ts:3:5 - error TS2322: Type.', 'TS2322'],
  [
    'rustc',
    'error[E0425]: cannot find value `x` in this scope\n --> src/main.rs:2:5\n  |\n2 |     x;\n  |     ^ not found\n',
    '--> src/main.rs:2:5',
  ],
  [
    'cargo test',
    "test tests::it_works ... FAILED\nthread 'tests::it_works' panicked at src/lib.rs:9:9:\nassertion failed",
    'panicked at',
  ],
  [
    'go test',
    '--- FAIL: TestX (0.00s)\n    x_test.go:7: got 1, want 2\nFAIL\texample.org/x\t0.003s',
    'got 1, want 2',
  ],
  [
    'python',
    'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    f()\n  File "a.py", line 2, in f\n    1/0\nZeroDivisionError: division by zero',
    'ZeroDivisionError: division by zero',
  ],
  [
    'pytest',
    '>       assert f() == 2\nE       assert 1 == 2\n\ntest_a.py:5: AssertionError\n=== short test summary info ===\nFAILED test_a.py::test_f - assert 1 == 2',
    'E       assert 1 == 2',
  ],
  [
    'node',
    '/app/a.js:3\nthrow new TypeError("no");\n^\n\nTypeError: no\n    at Object.<anonymous> (/app/a.js:3:7)',
    'TypeError: no',
  ],
  [
    'java',
    'Exception in thread "main" java.lang.NullPointerException: Cannot invoke "String.length()"\n\tat A.main(A.java:3)',
    'NullPointerException',
  ],
  ['javac', "A.java:3: error: ';' expected", 'A.java:3: error'],
  ['npm', 'npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree', 'ERESOLVE unable'],
  ['old npm', 'npm ERR! missing script: biuld', 'missing script'],
  ['make', 'make[1]: *** [Makefile:3: all] Error 2\nmake: *** [Makefile:9: sub] Error 2', 'Makefile:3'],
  ['maven', '[ERROR] COMPILATION ERROR : ', 'COMPILATION'],
  ['gradle', 'FAILURE: Build failed with an exception.\n* What went wrong:', 'FAILURE'],
  ['cmake', 'CMake Error at CMakeLists.txt:3 (find_package):', 'CMakeLists'],
  ['eslint', '/app/a.js\n  3:7  error  x is not defined  no-undef', 'no-undef'],
  ['vitest', ' FAIL  tests/a.test.ts > adds\nAssertionError: expected 1 to be 2', 'tests/a.test.ts'],
  ['jest', '  ● adds › numbers\n\n    expect(received).toBe(expected)', 'adds › numbers'],
  ['tap', 'not ok 3 - adds\n  ---\n  message: wrong', 'not ok 3'],
  ['git', 'fatal: not a git repository (or any of the parent directories): .git', 'not a git repository'],
  ['bash', 'bash: line 1: foo: command not found', 'command not found'],
  ['segfault', './run.sh: line 3: 12345 Segmentation fault      (core dumped) ./a.out', 'Segmentation'],
  ['log', '2026-01-02T03:04:05Z ERROR db: connection refused', 'connection refused'],
  ['docker', 'ERROR: failed to solve: process "/bin/sh -c x" did not complete', 'failed to solve'],
];

describe('the summary', () => {
  it.each(SAMPLES)('shows errors of %s within a long output', async (_, output, found) => {
    const part = await summary(`${noise(3000)}\n${output}\n${noise(3000)}\n`);
    expect(part.text).toContain(found);
    const line = 3001 + output.split('\n').findIndex((each) => each.includes(found));
    expect(part.text).toContain(`${line}: `);
    expect(part.text).toContain('[2999] compiling module');
    expect(tokensOf(part)).toBeLessThanOrEqual(600);
    expect(part.left_out.join(' ')).toContain('not shown, except those above');
  });

  it('is the whole output if it is short', async () => {
    const text = 'one\nerror: two\nthree';
    expect(await summary(`${text}\n`)).toMatchObject({ text, left_out: [], total_lines: 3 });
    expect(await summary('')).toMatchObject({ text: '', left_out: [], total_lines: 0, next_cursor: 0 });
  });

  it('is the end if nothing looks wrong, and names the rest', async () => {
    const part = await summary(`${noise(5000)}\nall done, 0 errors, 0 failed\n`);
    expect(part.text).toMatch(/^End of the output, from line \d+:\n/);
    expect(part.text.endsWith('all done, 0 errors, 0 failed')).toBe(true);
    expect(part.left_out).toHaveLength(1);
    expect(part.left_out[0]).toMatch(/^The lines 1 to \d+ are not shown; read them by line numbers/);
  });

  it('shows a repeated line once', async () => {
    const part = await summary(`${noise(500)}\n${'error: the same\nfine\n'.repeat(300)}${noise(3000)}\n`);
    expect(part.text).toContain('error: the same');
    expect(part.text.split('error: the same')).toHaveLength(2);
    expect(part.text).toContain('(300 times)');
  });

  it('counts errors that do not fit', async () => {
    const errors = Array.from(
      { length: 150 },
      (_, index) => `src/f${index}.ts(1,1): error TS1: wrong ${index}`,
    );
    const part = await summary(`${errors.join('\n')}\n${noise(3000)}\n`);
    const shown = errors.filter((error) => part.text.includes(error)).length;
    expect(shown).toBeGreaterThan(5);
    expect(part.left_out.join(' ')).toContain(`${150 - shown} more places look like errors`);
  });

  it('keeps to the tokens with long lines', async () => {
    for (const text of [
      'error: '.repeat(100_000),
      'x'.repeat(3_000_000),
      `${'漢'.repeat(50_000)}\nerror: x\n`.repeat(5),
    ]) {
      const part = await summary(text, 300);
      expect(tokensOf(part)).toBeLessThanOrEqual(300);
      expect(part.text.length).toBeGreaterThan(50);
    }
  });
});

describe('a line', () => {
  it.each([
    'all 12 tests passed, 0 failed',
    'Found 0 errors in 3 files',
    'warning: unused variable',
    'checking for strerror... yes',
    'Compiling thiserror v1.0.50',
    'build finished without errors',
    'gcc -Wall -Werror=format -c a.c',
  ])('that is fine is not an error: %s', (line) => {
    expect(judgeLine(line)?.isSure ?? false).toBe(false);
  });

  it('with a count above zero is an error', () => {
    expect(judgeLine('Tests: 3 failed, 0 errors, 9 passed')).toBeDefined();
  });

  it('is judged quickly, whatever its content', () => {
    const begun = performance.now();
    for (const text of [' ', 'a', '[', ':1', '(1', 'error ', '***', 'A.', "'", '\t', 'Error: '])
      judgeLine(`${text.repeat(100_000)} error`);
    expect(performance.now() - begun).toBeLessThan(500);
  });
});

describe('the beginning', () => {
  const text = noise(50);
  function head(query: Partial<OutputQuery>): Promise<OutputPart> {
    return inFolder(async (folder) => {
      await stored(folder, [text], 8 * 1024 * 1024);
      return readOutput({ folder, kind: 'merged', isComplete: true }, { maxTokens: 4000, ...query });
    });
  }

  it('is so many lines or bytes, and says which side is left out and how to go on', async () => {
    const part = await head({ head: 2 });
    expect(part.text).toBe('[0] compiling module 0\n[1] compiling module 7\n');
    expect(part.left_out).toEqual([
      `The end is left out, ${text.length - part.text.length} more bytes; continue with cursor ${part.text.length}.`,
    ]);
    expect((await head({ headBytes: 5 })).text).toBe('[0] c');
    expect((await head({ head: 1, headBytes: 5 })).text).toBe('[0] c');
    expect((await head({ head: 50 })).left_out).toEqual([]);
  });

  it('begins at the cursor if there is one', async () => {
    expect((await head({ cursor: 23, head: 1 })).text).toBe('[1] compiling module 7\n');
  });

  it('of a character is not shown', async () => {
    const part = await inFolder(async (folder) => {
      await stored(folder, ['aä'], 8 * 1024 * 1024);
      return readOutput({ folder, kind: 'merged', isComplete: true }, { maxTokens: 4000, headBytes: 2 });
    });
    expect([part.text, part.next_cursor]).toEqual(['a', 1]);
  });

  it('is not combined with the end', async () => {
    await expect(head({ head: 1, tail: 1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
