import { chmodSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { z } from 'zod';
import { TerminalAnswer } from '../../src/model/terminals/terminal-answer.ts';
import { copyProgram } from '../program-copy.ts';
import { envelope, kill, Lab } from './support.ts';
import { until } from '../until.ts';

const Answer = z.looseObject({ ok: z.literal(true) }).and(TerminalAnswer);

/** One lab per test file, with a daemon, holders and two projects with the same name. */
export class TerminalLab extends Lab {
  get projects(): { readonly one: string; readonly other: string } {
    const folder = realpathSync(this.folder);
    return { one: join(folder, 'one', 'app'), other: join(folder, 'other', 'app') };
  }

  /** The answer of `desk terminal …`. @throws Error on failure */
  async terminal(args: readonly string[], project = this.projects.one): Promise<TerminalAnswer> {
    const ran = await this.desk(['terminal', ...args, '--project-path', project]);
    return Answer.parse(JSON.parse(ran.stdout));
  }

  async failure(
    args: readonly string[],
  ): Promise<{ readonly exitCode: number | string; readonly code: string | undefined }> {
    const ran = await this.desk(['terminal', ...args, '--project-path', this.projects.one]);
    return { exitCode: ran.exitCode, code: envelope(ran).error?.code };
  }

  holders(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(join(this.program, 'holder.js'));
        } catch {
          return false;
        }
      })
      .map(Number);
  }

  override async stop(): Promise<void> {
    for (const pid of this.holders()) kill(pid);
    await until(() => this.holders().length === 0, 'the holders are gone');
    await super.stop();
  }
}

/** Copies the built program and gives all tests of a file one lab, because starting shells takes longer than using them. */
export function useTerminalLab(): () => TerminalLab {
  let program = '';
  let lab: TerminalLab | undefined;
  beforeAll(async () => {
    program = await mkdtemp(join(tmpdir(), 'dk-'));
    await copyProgram(program);
    await symlink(resolve('node_modules'), join(program, 'node_modules'));
    const folder = await mkdtemp(join(tmpdir(), 'dkl-'));
    chmodSync(folder, 0o700);
    lab = new TerminalLab(folder, program);
    for (const name of ['run', 'home']) mkdirSync(join(folder, name), { mode: 0o700 });
    for (const project of Object.values(lab.projects)) mkdirSync(project, { recursive: true });
    writeFileSync(join(folder, 'home', '.bash_profile'), "PS1='$ '\n");
  }, 60_000);
  afterAll(async () => {
    await lab?.stop();
    await rm(program, { recursive: true, force: true });
  });
  return () => {
    if (lab === undefined) throw new Error('there is no lab yet');
    return lab;
  };
}
