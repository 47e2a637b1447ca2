import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFixture, type Fixture, type FixtureKind } from '../../../fixtures/driver.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import type { NodeHandle, TreeNode } from '../../../src/model/tree/node.ts';
import { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import type { TreeResult } from '../../../src/ports/desktop/elements.ts';
import type { DesktopWindow } from '../../../src/ports/desktop/windows.ts';

const START = { deadlineMs: 20_000 };
export const CALL = { deadlineMs: 5000 };

/** A private desktop and the one adapter that serves every call of a test file. */
export class Stage {
  readonly place: PrivateDesktop;
  readonly desktop: LinuxDesktop;
  private readonly fixtures: Fixture[] = [];

  private constructor(place: PrivateDesktop) {
    this.place = place;
    this.desktop = new LinuxDesktop(place.environment, place);
  }

  static async open(): Promise<Stage> {
    return new Stage(await PrivateDesktop.start(START));
  }

  /** Starts a fixture and waits until it can be read. */
  async start(kind: FixtureKind, title?: string): Promise<Fixture> {
    const fixture = await startFixture(kind, { environment: this.place.environment, title, ...START });
    this.fixtures.push(fixture);
    await this.window(fixture.pid);
    return fixture;
  }

  /** The window of a process, once its tree and its place on the display are known. */
  async window(pid: number, desktop = this.desktop): Promise<DesktopWindow & { readonly root: NodeHandle }> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const [window] = await desktop.listWindows({ ...CALL, pid }).catch(() => []);
      if (window?.root && window.id.startsWith('x11:')) return { ...window, root: window.root };
      await sleep(100);
    }
    throw new Error(`process ${pid} never became readable`);
  }

  read(
    root: NodeHandle,
    options: { readonly signal?: AbortSignal; readonly deadlineMs?: number } = {},
  ): Promise<TreeResult> {
    return this.desktop.readTree({
      ...CALL,
      root,
      wholeTree: false,
      maxNodes: 20_000,
      includeActions: false,
      ...options,
    });
  }

  /** The first checkbox of a window. */
  async checkbox(root: NodeHandle | undefined): Promise<NodeHandle> {
    const checkboxIn = (node: TreeNode): NodeHandle | undefined =>
      node.role === 'checkbox' ? node.handle : node.children.map(checkboxIn).find(Boolean);
    const found = root && checkboxIn((await this.read(root)).root);
    if (found === undefined) throw new Error('the window has no checkbox');
    return found;
  }

  /** Another adapter of the same desktop, for the caller to close. */
  fresh(): LinuxDesktop {
    return new LinuxDesktop(this.place.environment);
  }

  /** Runs a program in the desktop. */
  run(program: string, ...args: string[]): string {
    return execFileSync(program, args, { env: { ...this.place.environment }, encoding: 'utf8' });
  }

  /** Processes of this desktop whose command line matches. */
  processes(pattern: RegExp): number[] {
    const marker = `DESKTERITY_PRIVATE_DESKTOP=${this.place.id}`;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => {
        try {
          const isOurs = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(marker);
          return isOurs && pattern.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' '));
        } catch {
          return false;
        }
      });
  }

  /** Kills what matches; there must be something. */
  kill(pattern: RegExp): void {
    const found = this.processes(pattern);
    if (found.length === 0) throw new Error(`nothing to kill matches ${pattern.source}`);
    for (const pid of found) process.kill(pid, 'SIGKILL');
  }

  async close(): Promise<void> {
    await this.desktop.close();
    await Promise.all(this.fixtures.map((fixture) => fixture.stop()));
    await this.place.stop();
  }
}

/** The error codes of those that failed; whatever else was thrown, as text. */
export function codesOf(outcomes: readonly PromiseSettledResult<unknown>[]): string[] {
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return [];
    const reason: unknown = outcome.reason;
    return [reason instanceof DeskterityError ? reason.code : String(reason)];
  });
}

/** The first element of a name. */
export function named(root: TreeNode, name: string): TreeNode {
  const found = find(root, name);
  if (!found) throw new Error(`no element is called ${name}`);
  return found;
}

function find(node: TreeNode, name: string): TreeNode | undefined {
  if (node.name === name) return node;
  for (const child of node.children) {
    const found = find(child, name);
    if (found) return found;
  }
  return undefined;
}
