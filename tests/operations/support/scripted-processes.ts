import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import type { ProcessExit, ProcessPort } from '../../../src/ports/process.ts';

/** What one start does; the command's first argument says which. Times in milliseconds; `never` does not come. */
export interface Behaviour {
  readonly startMs?: number | 'never' | undefined;
  readonly fails?: boolean | undefined;
  readonly exitMs?: number | 'never' | undefined;
  readonly exitCode?: number | undefined;
  readonly writes?: string | undefined;
  /** Its pipe stays open when it has ended. */
  readonly pipe?: 'ends' | 'until-ended' | 'never' | undefined;
  /** Is still there although it was killed. */
  readonly isUnkillable?: boolean | undefined;
}

/** Processes that are not there, so that they can do what real ones rarely do. */
export class ScriptedProcesses implements ProcessPort {
  readonly started: string[] = [];
  readonly ends: string[] = [];
  endFails = false;
  /** The first program that has ended by itself. */
  readonly firstExit: Promise<void>;
  private onExit: () => void = () => undefined;
  private readonly behaviours: readonly Behaviour[];
  private readonly endings = new Map<string, (() => void)[]>();

  constructor(behaviours: readonly Behaviour[]) {
    this.behaviours = behaviours;
    this.firstExit = new Promise((resolve) => (this.onExit = resolve));
  }

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  start: ProcessPort['start'] = async (_, { command, operationId }) => {
    const behaviour = this.behaviours[Number(command[1])] ?? {};
    await wait(behaviour.startMs ?? 0);
    if (behaviour.fails === true)
      throw new DeskterityError('ACTION_FAILED', 'It is not there.', { suggestion: 'Make it.' });
    this.started.push(command[1] ?? '');
    const readable = new PassThrough();
    if (behaviour.writes !== undefined) readable.write(behaviour.writes);
    const endings = this.endings.get(operationId) ?? [];
    this.endings.set(operationId, endings);
    const exited = new Promise<ProcessExit>((resolve) => {
      void wait(behaviour.exitMs ?? 1).then(() => {
        resolve({ exitCode: behaviour.exitCode ?? 0, signal: undefined });
        this.onExit();
        if ((behaviour.pipe ?? 'ends') === 'ends') readable.end();
        return undefined;
      });
      endings.push(() => {
        if (behaviour.pipe !== 'never') readable.end();
        if (behaviour.isUnkillable !== true) resolve({ exitCode: undefined, signal: 'SIGKILL' });
      });
    });
    return {
      pid: 1000 + this.started.length,
      startTime: '1',
      streams: [{ name: 'merged', readable }],
      exited,
      denied: () => [],
    };
  };

  endAll: ProcessPort['endAll'] = async (operationId) => {
    this.ends.push(operationId);
    await sleep(1);
    if (this.endFails) throw new Error('the kernel says no');
    for (const end of this.endings.get(operationId) ?? []) end();
    return 0;
  };
}

async function wait(ms: number | 'never'): Promise<void> {
  if (ms === 'never') await new Promise(() => undefined);
  else if (ms > 0) await sleep(ms);
}
