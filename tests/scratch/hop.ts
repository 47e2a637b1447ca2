import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { loadKernel, PR_SET_CHILD_SUBREAPER } from '../../src/platform/linux/sandbox/libc-library.ts';
import { operationProcesses } from '../../src/platform/linux/sandbox/processes/operation-processes.ts';
import { endProcesses } from '../../src/platform/linux/sandbox/processes/end-processes.ts';
import { readProcess, ownChildren } from '../../src/platform/linux/process/facts.ts';
const kernel = await loadKernel();
kernel.call('prctl', PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
const marks = { knows: () => true, operationOf: () => 'op' };
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms));
const folder = process.argv[2] ?? '/tmp/newc/kil';
writeFileSync(`${folder}/hop.sh`, '#!/bin/sh\nsetsid "$0" &\n', { mode: 0o755 });
writeFileSync(`${folder}/hop2.py`, `import os,time
os.setsid()
for i in range(200000):
    if os.fork(): os._exit(0)
    os.setsid()
`);
const kinds: Record<string, string[]> = {
  subshell: ['/bin/sh', '-c', 'f() { (f) & }; f'],
  setsidExec: [`${folder}/hop.sh`],
  pythonFork: ['python3', `${folder}/hop2.py`],
  many: ['/bin/sh', '-c', 'i=0; while :; do sleep 1000 & i=$((i+1)); [ $i -gt 500 ] && sleep 1000; done'],
};
const timer = setInterval(() => { for (const c of ownChildren()) if (c.state === 'Z') kernel.call('wait4', c.pid, 0, 1, 0); }, 5);
for (const [name, [program = '', ...args]] of Object.entries(kinds)) {
  for (let r = 0; r < 3; r++) {
    spawn(program, args, { detached: true, stdio: 'ignore' });
    await pause(150);
    const t = performance.now();
    let count: unknown;
    const find = () => operationProcesses(marks, 'op', undefined);
    try { count = await endProcesses(kernel, find, { interruptMs: 0, terminateMs: 0 }); } catch (e) { count = String(e); }
    const ms = Math.round(performance.now() - t);
    await pause(100);
    const left = find().length;
    console.log(name, { ms, count, left });
    for (let i = 0; i < 30000 && find().length > 0; i++) for (const e of find()) try { process.kill(e.pid, 'SIGKILL'); } catch {}
  }
}
clearInterval(timer);
process.exit(0);
