import type { Caller } from '../../../model/sessions/caller.ts';
import type { CallerTools, App } from '../../../app/app.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { Unwatch } from '../connections/connection.ts';
import { atMost } from '../connections/in-time.ts';

/** Tools from tool files for one client, loaded while it initializes. */
export interface FileTools {
  /** The current commands; `undefined` while they are loading or if there is no folder for them. */
  commands(): CallerTools['commands'] | undefined;
  /** Resolves when they are loaded, or take too long. */
  readonly known: Promise<void>;
  /** Calls `onChange` when {@link commands} has changed. */
  watch(onChange: () => void): Unwatch;
}

/** Checking for programs may start some of them; the tool list waits no longer than this. */
const LOADING_MS = 5000;

/** `undefined` if the client has not chosen them. Without a folder to work in there are none; calling a tool reports why. */
export function fileTools(
  app: Pick<App, 'toolsOf'>,
  caller: Caller,
  toolsets: readonly string[],
): FileTools | undefined {
  if (!toolsets.includes('operations') && !toolsets.includes('all')) return undefined;
  let tools: CallerTools | undefined;
  let isLate = false;
  const read = async (): Promise<CallerTools | undefined> => {
    try {
      tools = await app.toolsOf(caller);
    } catch (error) {
      if (!(error instanceof DeskterityError)) throw error;
    }
    return tools;
  };
  const reading = read();
  const known = async (): Promise<void> => {
    await atMost(LOADING_MS, reading);
    isLate = tools === undefined;
  };
  return {
    commands: () => tools?.commands,
    known: known(),
    watch: (onChange) => {
      let isOver = false;
      let end: Unwatch | undefined;
      const begin = async (): Promise<void> => {
        const found = await reading;
        if (isOver || found === undefined) return;
        end = found.watch(onChange);
        if (isLate) onChange();
      };
      void begin().catch(() => undefined);
      return () => {
        isOver = true;
        end?.();
      };
    },
  };
}
