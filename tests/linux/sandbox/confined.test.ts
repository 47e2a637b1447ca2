import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ORDINARY_USER, Stage } from './stage.ts';

const isRoot = process.getuid?.() === 0;

describe.each([
  { who: 'root', user: 0, runs: isRoot },
  { who: 'an ordinary user', user: isRoot ? ORDINARY_USER : (process.getuid?.() ?? -1), runs: true },
])('confined programs of $who', ({ user, runs }) => {
  describe.skipIf(!runs)('where this user can be confined', () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await Stage.open(isRoot ? { user } : {});
    });
    afterAll(async () => stage.close());

    const shell = (script: string) => ['/bin/sh', '-c', script] as const;

    it('work in their scope and its own folder', async () => {
      const script =
        'echo in-scope > file && mkdir folder && mv file folder/ && ln -s folder/file link && cat link && echo made > "$TMPDIR/made" && exit 3';
      const ended = await stage.run(shell(script));
      expect(ended).toMatchObject({ exitCode: 3, output: { merged: 'in-scope\n' } });
      expect(readFileSync(stage.path('scope', 'folder', 'file'), 'utf8')).toBe('in-scope\n');
      expect(readFileSync(stage.path('made', 'made'), 'utf8')).toBe('made\n');
    });

    it('keep the order of standard output and error, byte for byte', async () => {
      const script =
        'i=0; while [ $i -lt 500 ]; do echo "out $i"; echo "err $i" >&2; echo "again $i" > /dev/stdout; echo "again err $i" > /dev/stderr; i=$((i+1)); done';
      const ended = await stage.run(shell(script));
      const expected = Array.from(
        { length: 500 },
        (_, i) => `out ${i}\nerr ${i}\nagain ${i}\nagain err ${i}\n`,
      );
      expect(ended.output['merged']).toBe(expected.join(''));
    });

    it('have two streams if requested', async () => {
      const ended = await stage.run(shell('echo out; echo err >&2'), {}, { output: 'separate' });
      expect(ended.output).toEqual({ stdout: 'out\n', stderr: 'err\n' });
    });

    it('lose no bytes of a large output', async () => {
      const ended = await stage.run(shell('head -c 3000000 /dev/zero | tr "\\0" x; echo end'));
      expect(ended.output['merged']).toBe(`${'x'.repeat(3_000_000)}end\n`);
    });

    it('have empty input, no terminal, their own session and default signals', async () => {
      const script =
        'readlink /proc/self/fd/0; (: < /dev/tty) 2>/dev/null && echo terminal; grep -E "^Sig(Ign|Blk)" /proc/self/status; cut -d" " -f6 /proc/$$/stat; echo $$';
      const ended = await stage.run(shell(script));
      const [input, ignored, blocked, session, own] = (ended.output['merged'] ?? '').trim().split('\n');
      expect(input).toBe('/dev/null');
      expect([ignored, blocked].map((line) => line?.split('\t')[1])).toEqual([
        '0000000000000000',
        '0000000000000000',
      ]);
      expect(session).toBe(own);
    });

    it('report how they ended', async () => {
      expect(await stage.run(shell('exit 42'))).toMatchObject({ exitCode: 42 });
      expect(await stage.run(shell('kill -SEGV $$'))).toMatchObject({ signal: 'SIGSEGV' });
      expect(await stage.run(['true'])).toMatchObject({ exitCode: 0 });
    });

    it('get exactly their environment, and none of the host’s', async () => {
      const ended = await stage.run(
        ['/usr/bin/env'],
        {},
        { environment: { ONLY: 'this' }, operationId: 'op-1' },
      );
      expect((ended.output['merged'] ?? '').trim().split('\n').toSorted()).toEqual([
        'DESKTERITY_OPERATION=op-1',
        'ONLY=this',
      ]);
    });

    it('are found in their PATH, including scripts', async () => {
      mkdirSync(stage.path('scope', 'bin'));
      writeFileSync(stage.path('scope', 'bin', 'tool'), 'echo "script $1"\n', { mode: 0o755 });
      writeFileSync(stage.path('scope', 'bin', 'other'), '#!/bin/sh\necho "other $0 $1"\n', { mode: 0o755 });
      const environment = { PATH: `/nowhere:${stage.path('scope', 'bin')}:/usr/bin` };
      expect(await stage.run(['tool', 'a b'], {}, { environment })).toMatchObject({
        output: { merged: 'script a b\n' },
      });
      expect((await stage.run(['other', 'c'], {}, { environment })).output['merged']).toContain(
        'bin/other c',
      );
    });

    it.each([
      [['no-such-program'], {}, 'was not found'],
      [['/usr/bin/true'], { cwd: '/no/such/folder' }, 'does not exist'],
      [['/etc/passwd'], {}, 'could not be started'],
      [['echo', 'a\0b'], {}, 'could not be started'],
    ] as const)('that cannot be started report the reason: %j', async (command, changes, message) => {
      const failed = await stage
        .run([...command] as [string, ...string[]], {}, changes)
        .catch((error: unknown) => error);
      expect(failed).toMatchObject({ code: 'ACTION_FAILED', message: expect.stringContaining(message) });
    });

    it('with different scopes run concurrently, each confined to its own', async () => {
      const scopes = Array.from({ length: 5 }, (_, index) => stage.path(`scope-${index}`));
      for (const scope of scopes) {
        mkdirSync(scope);
        mkdirSync(stage.path('scope', `in-${scope.at(-1)}`));
      }
      stage.give(user);
      const tries = (own: string) =>
        scopes
          .map((scope) => `(echo x > ${scope}/by-${own.at(-1)}) 2>/dev/null && echo ${scope.at(-1)}`)
          .join('; ');
      const outcomes = await Promise.all(
        scopes.map(async (scope) => stage.run(shell(tries(scope)), { scope }, { cwd: '/' })),
      );
      expect(outcomes.map(({ output }) => output['merged'])).toEqual(
        scopes.map((scope) => `${scope.at(-1)}\n`),
      );
      for (const scope of scopes)
        for (const other of scopes) expect(existsSync(`${scope}/by-${other.at(-1)}`)).toBe(scope === other);
    });

    it('read only the allowed files and folders', async () => {
      const library = stage.path('outside', 'library');
      mkdirSync(library);
      writeFileSync(`${library}/book`, 'read me');
      writeFileSync(stage.path('outside', 'single'), 'one file');
      stage.give(user);
      const script = `cat ${library}/book ${stage.path('outside', 'single')}; ls ${stage.path('outside')}; echo x > ${library}/book; true`;
      const ended = await stage.run(shell(script), { read: [library, stage.path('outside', 'single')] });
      expect(ended.output['merged']).toMatch(/^read meone file.*Permission denied\n.*Permission denied\n$/s);
      expect(readFileSync(`${library}/book`, 'utf8')).toBe('read me');
    });

    it('do not confine the process that starts them', async () => {
      await stage.run(shell('true'));
      expect(await stage.ask({ do: 'unconfined', file: stage.path('outside', 'free') })).toBe('still free');
      const status = readFileSync(`/proc/${stage.pid}/status`, 'utf8');
      expect(status).toMatch(/^NoNewPrivs:\t0$/m);
      expect(status).toMatch(/^Seccomp:\t0$/m);
    });

    it('use the network and sockets if requested', async () => {
      const script =
        'python3 -c "import socket as s; [s.socket(f, s.SOCK_STREAM) and print(f.name) for f in (s.AF_INET, s.AF_INET6)]"; python3 -c "import socket as s; s.socket(s.AF_UNIX); print(\'unix\')" 2>/dev/null; true';
      const merged = async (changes: object) => (await stage.run(shell(script), changes)).output['merged'];
      expect(await merged({ network: true })).toBe('AF_INET\nAF_INET6\n');
      expect(await merged({ network: true, unixSockets: true })).toBe('AF_INET\nAF_INET6\nunix\n');
    });

    it('are confined to a recreated folder, not to the removed one', async () => {
      const scope = stage.path('renewed');
      mkdirSync(scope);
      stage.give(user);
      expect(await stage.run(shell('echo 1 > file'), { scope }, { cwd: scope })).toMatchObject({
        exitCode: 0,
      });
      renameSync(scope, `${scope}-old`);
      mkdirSync(scope);
      stage.give(user);
      expect(await stage.run(shell('echo 2 > file'), { scope }, { cwd: scope })).toMatchObject({
        exitCode: 0,
      });
      const old = await stage.run(shell(`echo 3 > ${scope}-old/file`), { scope }, { cwd: scope });
      expect(old).toMatchObject({ exitCode: 2 });
      expect(readFileSync(`${scope}-old/file`, 'utf8')).toBe('1\n');
    });

    it('are not started if a writable folder was replaced by a link', async () => {
      const scope = stage.path('scope', 'inner');
      mkdirSync(scope);
      stage.give(user);
      await stage.run(shell('true'), { scope });
      rmSync(scope, { recursive: true });
      symlinkSync(stage.path('outside'), scope);
      const failed = await stage.run(shell('true'), { scope }).catch((error: unknown) => error);
      expect(failed).toMatchObject({
        code: 'SANDBOX_UNAVAILABLE',
        message: expect.stringContaining('it leads to'),
      });
    });

    it('are not started if the scope is missing or includes everything', async () => {
      const missing = await stage
        .run(shell('true'), { scope: stage.path('missing') })
        .catch((error: unknown) => error);
      expect(missing).toMatchObject({
        code: 'SANDBOX_UNAVAILABLE',
        message: expect.stringContaining('does not exist'),
      });
      const everything = await stage.run(shell('true'), { scope: '/' }).catch((error: unknown) => error);
      expect(everything).toMatchObject({
        code: 'SANDBOX_UNAVAILABLE',
        message: expect.stringContaining('protect nothing'),
      });
    });

    it('run without a sandbox if the user chose that', async () => {
      const file = stage.path('outside', 'by-free-program');
      const ended = await stage.run(shell(`echo free > ${file}; cat ${file}`), { by: 'none' });
      expect(ended).toMatchObject({ exitCode: 0, output: { merged: 'free\n' } });
      expect(readFileSync(file, 'utf8')).toBe('free\n');
    });

    it('start many at once, and all end', async () => {
      const ended = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => stage.run(shell(`echo ${index}; exit ${index}`))),
      );
      expect(ended.map(({ exitCode, output }) => `${exitCode} ${output['merged']}`)).toEqual(
        ended.map((_, index) => `${index} ${index}\n`),
      );
      await expect.poll(async () => stage.ask({ do: 'zombies' })).toEqual([]);
    });

    it('are reported to their end after closing', async () => {
      const last = await Stage.open(isRoot ? { user } : {});
      onTestFinished(async () => last.close());
      const request = last.request(shell('sleep 0.5; echo done; exit 5'));
      await last.start(last.confinement(), request);
      await last.ask({ do: 'close' });
      expect(await last.wait(request.operationId)).toMatchObject({
        exitCode: 5,
        output: { merged: 'done\n' },
      });
      const failed = await last.run(shell('true')).catch((error: unknown) => error);
      expect(failed).toMatchObject({
        code: 'SANDBOX_UNAVAILABLE',
        message: expect.stringContaining('about to exit'),
      });
    });

    it('keep their output open while any of their processes writes', async () => {
      const operationId = randomUUID();
      await stage.start(
        stage.confinement(),
        stage.request(shell('(sleep 0.7; echo late) & echo early'), { operationId }),
      );
      const ended = await stage.wait(operationId);
      expect(ended).toMatchObject({ exitCode: 0, output: { merged: 'early\nlate\n' } });
    });
  });
});
