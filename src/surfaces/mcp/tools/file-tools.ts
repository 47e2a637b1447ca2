import type { Caller } from '../../../model/sessions/caller.ts';
import type { CallerTools, App } from '../../../app/app.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { Unwatch } from '../connections/connection.ts';
import { atMost } from '../connections/in-time.ts';

/** Tools of tool files for one client, read while it is greeted. */
export interface FileTools {
  /** As they are now; `undefined` while they are read, and where there is no folder for them. */
  commands(): CallerTools['commands'] | undefined;
  /** Resolves when they are read, or take long. */
  readonly known: Promise<void>;
  /** Calls `onChange` when {@link commands} gives others. */
  watch(onChange: () => void): Unwatch;
}

/** Checks whether programs are there may start some of them; a list is not kept waiting longer. */
const READING_MS = 5000;

/** `undefined` where the client has not chosen them. Without a folder that they could work in there are none: the tools say why when they are called. */
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
    await atMost(READING_MS, reading);
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
