import { DeskterityError } from '../../model/effects/errors.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { StopState } from '../../ports/input.ts';
import type { InputEvent } from './page-events.ts';
import { PersonInput } from './person-input.ts';
import { handBack, takeOver } from './take-over.ts';

const CALL = { deadlineMs: 5000 };

interface Driver {
  /** The page. */
  readonly watcher: string;
  readonly input: PersonInput;
}

/**
 * Who controls a desktop, as its pages see it. A take-over belongs to the desktop and outlives the page: losing a connection is no decision to let
 * the agent continue, perhaps halfway through a password.
 */
export class Control {
  state: StopState = { stopped: false };
  /** Whether this desktop can be taken over at all. */
  isPrivate = false;
  private readonly name: string;
  private readonly desktop: () => Promise<DesktopPort>;
  private readonly onChange: () => void;
  private driver: Driver | undefined;
  private unsubscribe: (() => void) | undefined;

  constructor(name: string, desktop: () => Promise<DesktopPort>, onChange: () => void) {
    this.name = name;
    this.desktop = desktop;
    this.onChange = onChange;
  }

  /** The page whose pointer and keys reach the desktop. */
  get driverPage(): string | undefined {
    return this.driver?.watcher;
  }

  /** Follows the state from now on. */
  async follow(): Promise<void> {
    this.unsubscribe?.();
    let isOver = false;
    let unsubscribe = (): void => undefined;
    this.unsubscribe = () => {
      isOver = true;
      unsubscribe();
    };
    const desktop = await this.desktop();
    if (isOver) return;
    unsubscribe = desktop.stopSwitch.onChange((state) => this.update(state));
    this.isPrivate = (await desktop.status(CALL)).isPrivate;
    this.update(await desktop.stopSwitch.state(CALL));
  }

  /** Takes over for a page, also from another page. @throws DeskterityError */
  async takeOver(watcher: string): Promise<void> {
    const desktop = await this.desktop();
    const state = await takeOver(desktop, this.name);
    const before = this.driver;
    this.driver = { watcher, input: new PersonInput(desktop) };
    await before?.input.end();
    this.update(state);
  }

  async handBack(): Promise<void> {
    const { driver } = this;
    this.driver = undefined;
    await driver?.input.end();
    this.update(await handBack(await this.desktop()));
  }

  /** @throws DeskterityError POLICY_DENIED if the page has no control */
  async send(
    watcher: string,
    events: readonly InputEvent[],
    size: { readonly width: number; readonly height: number },
  ): Promise<void> {
    // A page that has just lost control reports that it lost the focus, too.
    if (this.driver?.watcher !== watcher && events.every(({ type }) => type === 'release')) return;
    if (this.driver?.watcher !== watcher || this.state.takeover !== true)
      throw new DeskterityError('POLICY_DENIED', 'This page does not have control.', {
        suggestion: 'Take over first.',
      });
    await this.driver.input.send(events, size);
  }

  /** A page has closed: what it held is released. */
  async leave(watcher: string): Promise<void> {
    const { driver } = this;
    if (driver?.watcher !== watcher) return;
    this.driver = undefined;
    await driver.input.end();
    this.onChange();
  }

  async close(): Promise<void> {
    this.unsubscribe?.();
    this.unsubscribe = undefined;
    const { driver } = this;
    this.driver = undefined;
    await driver?.input.end();
  }

  private update(state: StopState): void {
    this.state = state;
    const { driver } = this;
    if (state.takeover !== true && driver !== undefined) {
      this.driver = undefined;
      void driver.input.end();
    }
    this.onChange();
  }
}
