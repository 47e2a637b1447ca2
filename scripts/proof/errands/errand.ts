import { setTimeout as sleep } from 'node:timers/promises';

/** What an agent types after `desk`. */
export type Call = readonly string[];

/**
 * An everyday task on an application that is not one of our fixtures. Both lists are what an agent types that knows the guide, the task and the
 * answers so far. `<textbox "Name">` in a call stands for the reference of the first `textbox "Name"` in the latest
 * answer that shows one.
 */
export interface Errand {
  readonly name: string;
  readonly application: string;
  /** The Debian 12 package. */
  readonly package: string;
  /** What the agent is asked to do. */
  readonly task: string;
  /** Files in HOME at the start, by their path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Serves what the errand needs; `{url}` in the task and the calls stands for its address. */
  readonly serve?: (home: string) => Promise<{ readonly url: string; readonly stop: () => void }>;
  /** One command for each act, as in the program of {@link BASELINE}. */
  readonly before: readonly Call[];
  /** As the guide advises today. */
  readonly now: readonly Call[];
  /** Judges the files in `home` alone; throws if the task was not done. */
  readonly check: (home: string) => Promise<void>;
}

/** The last revision before `fill`, `do` and `guide`: its program is the one that today's is compared with. */
export const BASELINE = '4a2234e6';

/** The call with references in place of elements. @throws if no answer has shown one of them */
export function withRefs(call: Call, answers: readonly string[]): Call {
  const shown = answers.map((answer) => answer.split('\n').flatMap((line) => elementsIn(line))).toReversed();
  return call.map((arg) =>
    arg.replaceAll(ELEMENT, (_, element: string) => {
      const found = shown
        .map((elements) => elements.find((one) => one.element === element))
        .find((one) => one !== undefined);
      if (found === undefined)
        throw new Error(`no answer has shown ${element}; the last one: ${answers.at(-1)?.slice(0, 600)}`);
      return `@${found.ref}`;
    }),
  );
}

const ELEMENT = /<([a-z]+(?: "[^"]*"| \([^)]*\))?)>/g;

/** The elements that a line of an outline shows; those after the first have its role: `button "Cancel" @e1 "Save" @e2`. */
function elementsIn(line: string): { readonly element: string; readonly ref: string }[] {
  const role = /(?:^|[ :;])([a-z]+)(?= (?:~?"(?:[^"\\]|\\.)*" |\([^)]*\) )?@e\d)/.exec(line)?.[1];
  if (role === undefined) return [];
  return [...line.matchAll(/~?("(?:[^"\\]|\\.)*" |\([^)]*\) )?@(e\d+)/g)].map(([, name = '', ref = '']) => ({
    element: `${role} ${name}`.trim(),
    ref,
  }));
}

/** Names in locators and menu paths that neither the task nor an answer has shown: the agent knew them from elsewhere. */
export function guessedNames(call: Call, known: readonly string[]): string[] {
  const text = call.join('\n');
  const locators = [...text.matchAll(/\bname[~^$*]?=\\?"?([^"\\\]]+)/g)].map(([, name]) => name);
  const menus =
    call[0] === 'menu' ? [call[1]] : [...text.matchAll(/\bmenu '?"([^"]+)"/g)].map(([, path]) => path);
  const names = [...locators, ...menus.flatMap((path) => path?.split('>') ?? [])];
  return names
    .flatMap((name) => (name === undefined ? [] : [name.trim()]))
    .filter((name) => !known.some((shown) => shown.includes(name)));
}

const PATIENCE_MS = 5000;

/** Tries `check` until it passes. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (;;)
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(100);
    }
}
