import type { Environment } from '../../../../../../model/sessions/caller.ts';
import type { DeskterityError } from '../../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import { AccessibilityBus } from '../../../../atspi/bus/accessibility-bus.ts';
import { ApplicationDirectory } from '../../../../atspi/bus/application-directory.ts';
import { sessionBusOf } from '../../session-bus.ts';
import { REMOTE_DESKTOP_NAME } from '../remote-desktop.ts';
import { ShellTree } from './shell-tree.ts';

/** What leads to the windows: the shell's tree, and those of the applications. */
export class ShellAccess {
  readonly bus: AccessibilityBus;
  readonly applications: ApplicationDirectory;
  readonly shell: ShellTree;
  /** The process of the compositor, as the session bus knows it. */
  readonly shellPid: number;
  #isLost = false;

  private constructor(bus: AccessibilityBus, shellPid: number) {
    this.bus = bus;
    this.shellPid = shellPid;
    this.applications = new ApplicationDirectory(bus);
    this.shell = new ShellTree(this.applications, shellPid);
    bus.onLoss(() => {
      this.#isLost = true;
    });
  }

  /** @throws DeskterityError BUS_UNAVAILABLE */
  static async open(environment: Environment, options: CallOptions): Promise<ShellAccess> {
    const bus = await AccessibilityBus.connect(sessionBusOf(environment), options);
    try {
      return new ShellAccess(bus, await ownerPid(bus, options));
    } catch (error) {
      bus.close();
      throw error;
    }
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  onLoss(listener: (reason: DeskterityError) => void): () => void {
    let isWanted = true;
    this.bus.onLoss((reason) => {
      if (isWanted) listener(reason);
    });
    return () => {
      isWanted = false;
    };
  }

  close(): void {
    this.#isLost = true;
    this.applications.close();
    this.bus.close();
  }
}

/** 0 if nobody owns the name. */
async function ownerPid(bus: AccessibilityBus, options: CallOptions): Promise<number> {
  const call = {
    destination: 'org.freedesktop.DBus',
    path: '/org/freedesktop/DBus',
    interface: 'org.freedesktop.DBus',
    member: 'GetConnectionUnixProcessID',
    signature: 's',
    args: [REMOTE_DESKTOP_NAME],
  };
  const [pid] = await bus.session.call(call, options).catch(() => [0]);
  return typeof pid === 'number' ? pid : 0;
}
