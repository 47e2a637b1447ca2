import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDINARY_USER, Stage } from './stage.ts';

const isRoot = process.getuid?.() === 0;

describe.each([
  { who: 'root', user: 0, runs: isRoot },
  { who: 'an ordinary user', user: isRoot ? ORDINARY_USER : (process.getuid?.() ?? -1), runs: true },
])('the report of accesses denied to programs of $who', ({ user, runs }) => {
  describe.skipIf(!runs)('where this user can be confined', () => {
    let stage: Stage;
    let outside: string;
    beforeAll(async () => {
      stage = await Stage.open(isRoot ? { user } : {});
      outside = stage.path('outside');
      mkdirSync(`${outside}/folder`);
      writeFileSync(`${outside}/file`, 'content');
      writeFileSync(`${outside}/tool`, '#!/bin/sh\n', { mode: 0o755 });
      symlinkSync('../outside/file', stage.path('scope', 'link'));
      stage.give(user);
    });
    afterAll(async () => stage.close());

    const denied = async (script: string, changes: object = {}) =>
      (await stage.run(['/bin/sh', '-c', script], { denyReport: true, ...changes })).denied;

    it('names each access, with path, program and the line that would allow it', async () => {
      const script = [
        'cat ../outside/file',
        'cat link',
        `echo x > ${outside}/file`,
        `cd ${outside} && echo y > new`,
        `rm ${outside}/file`,
        `mkdir ${outside}/made`,
        `mv ${outside}/file ${outside}/moved`,
        `ln ${outside}/file linked`,
        `${outside}/tool`,
        `ls ${outside}/folder`,
        'true',
      ].join('; ');
      const read = (path: string) => `"sandbox": {"read": ["${path}"]}`;
      const write = (path: string) => `"sandbox": {"write": ["${path}"]}`;
      expect(await denied(script)).toEqual([
        {
          operation: 'read',
          target: `${outside}/file`,
          program: 'cat',
          count: 2,
          allow: read(`${outside}/file`),
        },
        {
          operation: 'write',
          target: `${outside}/file`,
          program: 'sh',
          count: 1,
          allow: write(`${outside}/file`),
        },
        { operation: 'create', target: `${outside}/new`, program: 'sh', count: 1, allow: write(outside) },
        { operation: 'delete', target: `${outside}/file`, program: 'rm', count: 1, allow: write(outside) },
        { operation: 'create', target: `${outside}/made`, program: 'mkdir', count: 1, allow: write(outside) },
        { operation: 'rename', target: `${outside}/file`, program: 'mv', count: 1, allow: write(outside) },
        { operation: 'link', target: `${outside}/file`, program: 'ln', count: 1, allow: write(outside) },
        {
          operation: 'execute',
          target: `${outside}/tool`,
          program: 'sh',
          count: 1,
          allow: read(`${outside}/tool`),
        },
        {
          operation: 'read',
          target: `${outside}/folder`,
          program: 'ls',
          count: 1,
          allow: read(`${outside}/folder`),
        },
      ]);
    });

    it('is empty if nothing was denied, or if not requested', async () => {
      expect(
        await denied(
          'echo x > mine; cat mine; ls; mkdir -p a/b; rm -r a; test -e /no/such/file; cat /etc/hostname',
        ),
      ).toEqual([]);
      expect(await denied(`cat ${outside}/file`, { denyReport: false })).toEqual([]);
    });

    it('does not include missing files', async () => {
      expect(await denied('cat /srv/nothing; rm /srv/nothing; mkdir /srv/no/where; true')).toEqual([]);
    });

    it('names sockets, which stay blocked', async () => {
      const script =
        'import socket\nfor family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX):\n  try:\n    socket.socket(family); print("open")\n  except OSError as error: print(error.errno)';
      const ended = await stage.run(['/usr/bin/python3', '-c', script], { denyReport: true });
      expect(ended.output['merged']).toBe('13\n13\n13\n');
      expect(ended.denied.filter(({ operation }) => operation !== 'read')).toEqual([
        {
          operation: 'network',
          target: 'an IPv4 address',
          program: 'python3',
          count: 1,
          allow: '"sandbox": {"network": true}',
        },
        {
          operation: 'network',
          target: 'an IPv6 address',
          program: 'python3',
          count: 1,
          allow: '"sandbox": {"network": true}',
        },
        {
          operation: 'unix-socket',
          target: 'a Unix socket',
          program: 'python3',
          count: 1,
          allow: '"sandbox": {"unix_sockets": true}',
        },
      ]);
    });

    it('separates concurrent operations', async () => {
      const names = Array.from({ length: 6 }, (_, index) => `${outside}/of-${index}`);
      for (const name of names) writeFileSync(name, '');
      stage.give(user);
      const reports = await Promise.all(
        names.map(async (name) => denied(`for i in 1 2 3 4 5; do cat ${name}; done`)),
      );
      expect(reports.map((report) => report.map(({ target, count }) => `${target} ${count}`))).toEqual(
        names.map((name) => [`${name} 5`]),
      );
    });

    it('does not block a program that is killed during inspection', async () => {
      const script = `for i in $(seq 30); do (cat ${outside}/file; cat ${outside}/file) & kill -9 $!; done; wait; echo done`;
      const ended = await stage.run(['/bin/bash', '-c', script], { denyReport: true });
      expect(ended).toMatchObject({ exitCode: 0, output: { merged: expect.stringContaining('done\n') } });
      expect(await denied(`cat ${outside}/file`)).toHaveLength(1);
    });

    it('does not weaken the sandbox', async () => {
      const ended = await stage.run(['/bin/sh', '-c', `echo x > ${outside}/file`], { denyReport: true });
      expect(ended).toMatchObject({ exitCode: 2 });
    });
  });
});
