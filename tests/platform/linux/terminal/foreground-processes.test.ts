import { describe, expect, it } from 'vitest';
import type { ProcessEntry } from '../../../../src/platform/linux/process/facts.ts';
import {
  foregroundProcesses,
  programOf,
} from '../../../../src/platform/linux/terminal/foreground-processes.ts';

const ADOPTER = 1;
const SHELL = 100;

/** A process in the session of the shell unless it says otherwise. */
function entry(pid: number, parent: number, group: number, startTime: number, session = SHELL): ProcessEntry {
  return { pid, parent, group, session, startTime: String(startTime), state: 'S' };
}

const shell = entry(SHELL, ADOPTER, SHELL, 10);
const foreground = { group: 200, since: 50 };

function chosen(
  processes: readonly ProcessEntry[],
  program = SHELL,
  of: { readonly group: number | undefined; readonly since: number } = foreground,
): number[] {
  return foregroundProcesses(processes, of, program, SHELL, ADOPTER).map(({ pid }) => pid);
}

describe('the foreground processes of a terminal', () => {
  it('are its group and all descendants, in any group or session', () => {
    const processes = [
      shell,
      entry(200, SHELL, 200, 50),
      entry(201, SHELL, 200, 50),
      entry(202, 200, 202, 60),
      entry(203, 202, 203, 70, 203),
    ];
    expect(chosen(processes)).toEqual([200, 201, 202, 203]);
  });

  it('include orphans since its start, and their descendants', () => {
    const processes = [
      shell,
      entry(200, SHELL, 200, 50),
      entry(300, ADOPTER, 300, 55, 300),
      entry(301, 300, 301, 56, 300),
    ];
    expect(chosen(processes)).toEqual([200, 300, 301]);
  });

  it('include those whose parent exited while they were read, before anything adopted them', () => {
    const processes = [
      shell,
      entry(200, SHELL, 200, 50),
      entry(301, 300, 301, 56, 300),
      entry(302, 301, 301, 57, 300),
      entry(161, 160, 160, 45, 160),
    ];
    expect(chosen(processes)).toEqual([200, 301, 302]);
  });

  it('exclude background jobs and earlier orphans', () => {
    const processes = [
      shell,
      entry(150, SHELL, 150, 40),
      entry(151, 150, 150, 60),
      entry(160, ADOPTER, 160, 45, 160),
      entry(161, 160, 160, 70, 160),
      entry(170, SHELL, 170, 60),
      entry(200, SHELL, 200, 50),
    ];
    expect(chosen(processes)).toEqual([200]);
  });

  it('exclude the shell above, even if it started later', () => {
    const processes = [shell, entry(110, SHELL, 110, 60), entry(200, 110, 200, 50)];
    expect(chosen(processes)).toEqual([200]);
  });

  it('include those that the first process of a namespace adopted', () => {
    // bubblewrap 100, its first process 101, the shell 102.
    const processes = [
      shell,
      entry(101, SHELL, SHELL, 10),
      entry(102, 101, 102, 11),
      entry(200, 102, 200, 50),
      entry(300, 101, 300, 60, 300),
      entry(301, 101, 301, 40, 301),
      entry(302, 102, 302, 60),
    ];
    expect(chosen(processes, 102)).toEqual([200, 300]);
  });

  it('are only orphans if the shell is itself in the foreground', () => {
    const of = { group: undefined, since: 50 };
    const left = [entry(300, ADOPTER, 300, 55, 300), entry(301, 300, 301, 56, 300)];
    const others = [entry(150, SHELL, 150, 60), entry(160, ADOPTER, 160, 45, 160)];
    expect(chosen([shell, ...left, ...others], SHELL, of)).toEqual([300, 301]);
    const wrapped = [entry(101, SHELL, SHELL, 10), entry(102, 101, 102, 60), entry(303, 101, 303, 70, 303)];
    expect(chosen([shell, ...wrapped], 102, of)).toEqual([303]);
  });

  it('are none if the group no longer exists', () => {
    expect(chosen([shell, entry(150, SHELL, 150, 60)])).toEqual([]);
  });
});

describe('the main program of a terminal', () => {
  const processes = [shell, entry(101, SHELL, SHELL, 10), entry(300, 101, 300, 60), entry(102, 101, 102, 11)];

  it('leads the session', () => {
    expect(programOf(processes, SHELL, false)).toBe(SHELL);
  });

  it('is the first child of the first process in a namespace', () => {
    expect(programOf(processes, SHELL, true)).toBe(102);
    expect(programOf([shell], SHELL, true)).toBeUndefined();
  });
});
