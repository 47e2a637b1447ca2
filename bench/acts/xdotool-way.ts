import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CannotMeasure } from '../support/figures.ts';
import type { ActCase } from './cases.ts';
import { ActRefused, type ActWindow, type Place, type Timed, type Way } from './way.ts';

const execute = promisify(execFile);
const XDOTOOL = '/usr/bin/xdotool';
const LIMIT_MS = 20_000;
/** What scripts usually wait for a menu or a list of options to open, in seconds. */
const OPENS_S = '0.1';

/** A plain script: the pointer goes where the element is, and the keyboard types. It learns nothing of the effect. */
export class XdotoolWay implements Way {
  readonly name = 'xdotool';
  private readonly environment: Readonly<Record<string, string>>;
  private readonly places = new Map<ActCase, Place>();

  private constructor(environment: Readonly<Record<string, string>>) {
    this.environment = environment;
  }

  /** @throws CannotMeasure if it is not installed */
  static async start(environment: Readonly<Record<string, string>>): Promise<XdotoolWay> {
    try {
      await execute(XDOTOOL, ['version'], { env: environment, timeout: LIMIT_MS });
    } catch (error) {
      throw new CannotMeasure(`${XDOTOOL} does not work (apt-get install xdotool): ${String(error)}`);
    }
    return new XdotoolWay(environment);
  }

  async prepare(one: ActCase, window: ActWindow): Promise<void> {
    this.places.set(one, await window.placeOf(one));
  }

  async act(one: ActCase, value: string): Promise<Timed> {
    return this.run(this.script(one, value));
  }

  /** Runs one script; the time is that of the whole process. */
  async run(script: readonly string[]): Promise<Timed> {
    const began = performance.now();
    await execute(XDOTOOL, script, { env: this.environment, timeout: LIMIT_MS });
    return { ms: performance.now() - began, claim: 'none' };
  }

  async leave(): Promise<void> {
    await this.run(['key', 'Escape', 'Escape']);
  }

  async close(): Promise<void> {}

  private script(one: ActCase, value: string): readonly string[] {
    const place = this.places.get(one);
    switch (one.act) {
      case 'press':
      case 'toggle':
        return clickOn(place);
      case 'set-value':
        return [...clickOn(place), 'key', 'ctrl+a', 'type', '--delay', '0', value];
      case 'type 20 characters':
        return [...clickOn(place), 'type', '--delay', '0', value];
      case 'select':
        return [...clickOn(place), 'sleep', OPENS_S, 'key', value === 'green' ? 'Down' : 'Up', 'Return'];
      default:
        return [...clickOn(place), 'sleep', OPENS_S, 'key', 'Down', 'Return'];
    }
  }
}

/** Moves to the middle and presses the first button. */
export function clickOn(place: Place | undefined): readonly string[] {
  if (place === undefined) throw new ActRefused('no place on the screen');
  const { x, y, width, height } = place.bounds;
  const [middleX, middleY] = [Math.round(x + width / 2), Math.round(y + height / 2)];
  return ['mousemove', String(middleX), String(middleY), 'click', '1'];
}
