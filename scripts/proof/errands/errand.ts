/** What an agent types after `desk`. */
export type Call = readonly string[];

/**
 * An everyday task on an application that is not one of our fixtures. Both lists are what an agent types that knows the guide, the task and the
 * answers so far. `<textbox "Name">` in a call stands for the latest reference that an answer showed for `textbox "Name"`.
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
  return call.map((arg) =>
    arg.replaceAll(/<([a-z]+(?: "[^"]*")?)>/g, (_, element: string) => {
      const found = answers
        .flatMap((answer) => answer.split('\n'))
        .map((line) => line.split(`${element} @`, 2)[1]?.match(/^[ewt]\d+/)?.[0])
        .findLast((ref) => ref !== undefined);
      if (found === undefined) throw new Error(`no answer has shown ${element}`);
      return `@${found}`;
    }),
  );
}

/** Names in locators and menu paths that neither the task nor an answer has shown: the agent knew them from elsewhere. */
export function guessedNames(call: Call, known: readonly string[]): string[] {
  const text = call.join('\n');
  const locators = [...text.matchAll(/\bname[~^$*]?=\\?"([^"\\]+)/g)].map(([, name]) => name);
  const menus =
    call[0] === 'menu' ? [call[1]] : [...text.matchAll(/\bmenu '?"([^"]+)"/g)].map(([, path]) => path);
  const names = [...locators, ...menus.flatMap((path) => path?.split('>') ?? [])];
  return names
    .flatMap((name) => (name === undefined ? [] : [name.trim()]))
    .filter((name) => !known.some((shown) => shown.includes(name)));
}
