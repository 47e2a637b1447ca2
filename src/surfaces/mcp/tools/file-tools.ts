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
  /** Reads those of another caller instead. Never rejects because there are none. */
  reload(caller: Caller): Promise<void>;
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
  const read = async (of: Caller): Promise<CallerTools | undefined> => {
    try {
      tools = await app.toolsOf(of);
    } catch (error) {
      if (!(error instanceof DeskterityError)) throw error;
      tools = undefined;
    }
    return tools;
  };
  let reading = read(caller);
  const first = reading;
  /** Start the watches of what was read anew. */
  const restarts = new Set<() => void>();
  const known = async (): Promise<void> => {
    await atMost(LOADING_MS, first);
    isLate = tools === undefined;
  };
  return {
    commands: () => tools?.commands,
    known: known(),
    watch: (onChange) => {
      let isOver = false;
      let end: Unwatch | undefined;
      const begin = async (isChanged: boolean): Promise<void> => {
        const wanted = reading;
        const found = await wanted;
        if (isOver || wanted !== reading) return;
        end?.();
        end = found?.watch(onChange);
        if (isChanged || (isLate && found !== undefined)) onChange();
      };
      const restart = (): void => void begin(true).catch(() => undefined);
      restarts.add(restart);
      void begin(false).catch(() => undefined);
      return () => {
        isOver = true;
        restarts.delete(restart);
        end?.();
      };
    },
    reload: async (of) => {
      reading = reading.catch(() => undefined).then(() => read(of));
      await reading;
      for (const restart of restarts) restart();
    },
  };
}
