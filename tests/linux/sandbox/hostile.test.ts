import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readProcess } from '../../../src/platform/linux/process/facts.ts';
import { notDenied, PYTHON, tryAll, type Outcome } from './hostile-run.ts';
import { Ears, layOutside, picture, startDaemon } from './hostile-target.ts';
import { ORDINARY_USER, Stage } from './stage.ts';

/** Programs that try to get out, written in Python with raw system calls; what they say of themselves is checked from outside. */

const isRoot = process.getuid?.() === 0;

const users = [
  { who: 'root', user: 0, runs: isRoot },
  { who: 'an ordinary user', user: isRoot ? ORDINARY_USER : (process.getuid?.() ?? -1), runs: true },
];

describe.skipIf(!existsSync(PYTHON) || process.arch !== 'x64')(
  'hostile programs (need Python, x86-64)',
  () => {
    describe.each(users)('as $who', ({ user, runs }) => {
      describe.skipIf(!runs)('confined', () => {
        let stage: Stage;
        let daemon: ChildProcess;
        let outside: string;

        beforeAll(async () => {
          stage = await Stage.open(isRoot ? { user } : {});
          stage.copyIn('hostile');
          outside = layOutside(stage, user);
          daemon = startDaemon(stage, user);
        });
        afterAll(async () => {
          daemon.kill('SIGKILL');
          await stage.close();
        });

        /** Without the sandbox they get what they want, except where the system itself holds them back. */
        function control(outcomes: readonly Outcome[], heldBackAnyway: readonly string[]): void {
          const failed = outcomes.filter(({ succeeded }) => succeeded === undefined);
          // A kernel without 32-bit programs kills whoever uses their calls.
          const isUnknownToKernel = ({ name, denied }: Outcome): boolean =>
            name === 'foreign_architecture' && denied === 'SIGSEGV';
          expect(
            failed.filter((one) => !heldBackAnyway.includes(one.name) && !isUnknownToKernel(one)),
          ).toEqual([]);
          expect(outcomes.length - failed.length).toBeGreaterThanOrEqual(outcomes.length / 3);
        }

        const heldBackByOwners =
          user === 0
            ? []
            : [
                'read_through_launchers_cwd',
                'read_through_launchers_root',
                'read_by_handle',
                'list_real_homes',
                'read_passwords',
                'read_group_passwords',
                'write_kernel_setting',
                'give_away',
              ];

        it.each(['reads.py', 'writes.py'])('cannot access files outside (%s)', async (program) => {
          const target = { scope: stage.path('scope'), outside, launcher: stage.pid, daemon: daemon.pid };
          const before = picture(outside);
          expect(notDenied(await tryAll(stage, program, target, 'landlock'))).toEqual([]);
          // Somebody looks on, which is to change nothing.
          expect(notDenied(await tryAll(stage, program, target, 'landlock', true))).toEqual([]);
          expect(picture(outside)).toEqual(before);
          control(await tryAll(stage, program, target, 'none'), heldBackByOwners);
        });

        it('cannot connect to any socket', async () => {
          const ears = await Ears.open(stage);
          onTestFinished(() => ears.close());
          const target = ears.places;
          const outcomes = await tryAll(stage, 'sockets.py', target, 'landlock');
          expect(notDenied(outcomes)).toEqual([]);
          // Somebody looks on, which is to change nothing.
          expect(notDenied(await tryAll(stage, 'sockets.py', target, 'landlock', true))).toEqual([]);
          expect(ears.reached).toEqual([]);
          // Some have no way even so; the others are seen by who was reached.
          control(await tryAll(stage, 'sockets.py', target, 'none'), [
            'unix_stream_from_pair',
            'unix_packets_from_pair',
            'kernel_crypto',
            ...(user === 0 ? [] : ['packets']),
          ]);
          await expect
            .poll(() => ears.reached)
            .toEqual(['abstract', 'datagram', 'docker', 'stream', 'tcp4', 'tcp6', 'udp4', 'udp6', 'x11']);
        });

        const heldBackBySystem = [
          // Kernels without modules, and without the x32 interface; and what is closed for all programs that are started.
          'load_module',
          'load_module_from_file',
          'x32_interface',
          'inherited_descriptors',
          ...(user === 0
            ? []
            : [
                'new_mount_namespace',
                'enter_namespace',
                'change_root',
                'mount_by_binding',
                'mount_by_new_calls',
                'make_character_device',
                'make_block_device',
                'watch_kernel',
                'load_kernel_program',
                'become_somebody_else',
                'gain_capabilities',
              ]),
        ];

        it('gain no kernel access, and nothing that this process has open or knows', async () => {
          const target = { scope: stage.path('scope') };
          expect(notDenied(await tryAll(stage, 'kernel.py', target, 'landlock'))).toEqual([]);
          expect(notDenied(await tryAll(stage, 'kernel.py', target, 'landlock', true))).toEqual([]);
          control(await tryAll(stage, 'kernel.py', target, 'none'), heldBackBySystem);
        });

        it('cannot access any other process', async () => {
          const siblings = [
            { confinement: stage.confinement(), request: stage.request(['/usr/bin/sleep', '600']) },
            // The very same confinement, as the hostile program has it.
            {
              confinement: stage.confinement({ read: [stage.path('app', 'hostile')] }),
              request: stage.request(['/usr/bin/sleep', '600']),
            },
          ].map((one) => ({
            ...one,
            request: { ...one.request, environment: { SIBLING_SECRET: 'hunter2-of-the-sibling' } },
          }));
          const started = [];
          for (const { confinement, request } of siblings)
            started.push(await stage.start(confinement, request));
          const everybody = [stage.pid, daemon.pid ?? 0, ...started.map(({ pid }) => pid)];
          const limits = () =>
            everybody.map((pid) =>
              // The launcher's own mark changes with each start.
              readFileSync(`/proc/${pid}/limits`, 'utf8').replace(/^Max file locks.*$/m, ''),
            );
          const threads = () => readdirSync(`/proc/${stage.pid}/task`).length;
          const before = { limits: limits(), processes: everybody.map((pid) => readProcess(pid)?.startTime) };
          const target = {
            scope: stage.path('scope'),
            launcher: stage.pid,
            daemon: daemon.pid,
            siblings: started.map(({ pid }) => pid),
          };
          const outcomes = await tryAll(stage, 'processes.py', target, 'landlock');
          expect(notDenied(outcomes)).toEqual([]);
          // Somebody looks on, which is to change nothing.
          expect(notDenied(await tryAll(stage, 'processes.py', target, 'landlock', true))).toEqual([]);
          expect({
            limits: limits(),
            processes: everybody.map((pid) => readProcess(pid)?.startTime),
          }).toEqual(before);
          expect(everybody.map((pid) => readProcess(pid)?.state)).not.toContain('T');
          expect(threads()).toBeGreaterThan(5);
          control(await tryAll(stage, 'processes.py', target, 'none'), []);
        });
      });
    });
  },
);
