import { writeFileSync, readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ran, running, until, useTerminalsLab } from '../terminal/support/terminals-lab.ts';
const lab = useTerminalsLab();
it('storm', async () => {
  const load = Array.from({ length: Number(process.env['LOAD'] ?? 4) }, () => spawn('/bin/sh', ['-c', 'while :; do :; done']));
  try {
    const terminals = lab().terminals();
    const { id } = await terminals.open(lab().start());
    const mark = `47${process.pid}`;
    const script = join(lab().base.scope, 'stubborn.sh');
    const orphan = `(setsid sh -c "trap '' INT TERM HUP; sleep ${mark}; sleep ${mark}" &)\n`;
    const n = Number(process.env['N'] ?? 10);
    writeFileSync(script, `trap '' INT TERM\n${orphan.repeat(n)}sleep ${mark} &\necho ready\nwhile :; do sleep ${mark}; done\n`);
    let failures = 0;
    const rounds = Number(process.env['ROUNDS'] ?? 30);
    const took: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await ran(terminals, id, `sh ${script}`, { waitMs: 300 });
      await until(() => running(`sleep ${mark}`).length >= 2 * n + 2, 'runs');
      const t = performance.now();
      await terminals.kill(id, { interruptMs: 1, terminateMs: 1 });
      const left = running(mark);
      took.push(Math.round(performance.now() - t));
      if (left.length > 0) {
        failures++;
        console.log(round, left.map((pid) => { try { return readFileSync(`/proc/${pid}/stat`, 'utf8').slice(0, 40); } catch { return `${pid} gone`; } }));
      }
      for (const pid of running(mark)) { try { process.kill(pid, 'SIGKILL'); } catch {} }
      await until(() => running(mark).length === 0, 'gone');
    }
    console.log(`failures ${failures} of ${rounds}`, took.sort((a,b)=>a-b)[rounds >> 1]);
    expect(failures).toBe(0);
  } finally { for (const c of load) c.kill('SIGKILL'); }
}, 300_000);
