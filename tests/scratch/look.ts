import { spawn } from 'node:child_process';
import { loadKernel, PR_SET_CHILD_SUBREAPER } from '../../src/platform/linux/sandbox/libc-library.ts';
import { operationProcesses } from '../../src/platform/linux/sandbox/processes/operation-processes.ts';
import { foregroundProcesses } from '../../src/platform/linux/terminal/foreground-processes.ts';
import { readProcess, ownChildren } from '../../src/platform/linux/process/facts.ts';
const kernel = await loadKernel();
kernel.call('prctl', PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
const marks = { knows: () => true, operationOf: () => 'op' };
const n = Number(process.argv[2] ?? 10), rounds = Number(process.argv[3] ?? 200);
const shell = spawn('/bin/sh', ['-c', 'while read line; do eval "$line"; done'], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
const pid = shell.pid ?? 0;
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms));
const reap = () => { for (const c of ownChildren()) if (c.state === 'Z' && c.pid !== pid) kernel.call('wait4', c.pid, 0, 1, 0); };
let missed = 0, early = 0, missedAll = 0;
for (let round = 0; round < rounds; round++) {
  for (let i = 0; i < n; i++) shell.stdin.write(`(setsid sh -c 'sleep 777; sleep 777' &)\n`);
  const all = () => operationProcesses(marks, 'op', undefined);
  const find = () => foregroundProcesses(all(), { group: undefined, since: 0 }, pid, pid, process.pid);
  let found = find();
  while (found.length < 2 * n) { await pause(5); reap(); found = find(); }
  const parents = found.filter((e) => e.parent === process.pid), sleeps = found.filter((e) => e.parent !== process.pid);
  for (const e of parents) process.kill(e.pid, 'SIGKILL');
  // the sleeps have not been killed: every look must find all of them
  for (let look = 0; look < 5; look++) {
    const every = new Set(all().map((e) => e.pid));
    const now = new Set(find().map((e) => e.pid));
    const left = sleeps.filter((e) => !now.has(e.pid));
    missedAll += sleeps.filter((e) => !every.has(e.pid)).length;
    if (left.length > 0) missed++;
    if (now.size === 0) early++;
  }
  for (const e of sleeps) try { process.kill(e.pid, 'SIGKILL'); } catch {}
  await pause(10); reap();
}
console.log({ rounds, looksThatMissed: missed, looksThatFoundNone: early, missedAll });
shell.kill('SIGKILL');
process.exit(0);
