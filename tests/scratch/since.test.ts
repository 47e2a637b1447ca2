import { readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { ran, running, until, useTerminalsLab, WAITS } from '../terminal/support/terminals-lab.ts';
const lab = useTerminalsLab();
it('since', async () => {
  const load = Array.from({ length: Number(process.env['LOAD'] ?? 4) }, () => spawn('/bin/sh', ['-c', 'while :; do :; done']));
  try {
    const terminals = lab().terminals();
    const { id } = await terminals.open(lab().start());
    const mark = `47${process.pid}`;
    let failures = 0;
    const rounds = Number(process.env['ROUNDS'] ?? 30);
    for (let round = 0; round < rounds; round++) {
      await ran(terminals, id, `(setsid sleep ${mark} &); while :; do :; done`, { isBackground: true, waitMs: 100 });
      await until(() => running(`sleep ${mark}`).length === 1, 'runs');
      await terminals.kill(id, WAITS);
      const left = running(mark);
      if (left.length > 0) {
        failures++;
        console.log(round, left.map((pid) => { try { return readFileSync(`/proc/${pid}/stat`, 'utf8').slice(0, 40); } catch { return `${pid} gone`; } }));
      }
      for (const pid of running(mark)) { try { process.kill(pid, 'SIGKILL'); } catch {} }
      await until(() => running(mark).length === 0, 'gone');
    }
    console.log(`failures ${failures} of ${rounds}`);
    expect(failures).toBe(0);
  } finally { for (const c of load) c.kill('SIGKILL'); }
}, 300_000);
