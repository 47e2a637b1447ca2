import { z } from 'zod';
import type { EntryShape, McpClient } from './clients.ts';

/** The entry of a server, with only the keys that Deskterity writes. */
export const ServerEntry = z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())]));
export type ServerEntry = z.output<typeof ServerEntry>;

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** File names of Deskterity's program, in a path or alone. */
const OWN_PROGRAM = /(?:^|[\\/])(?:desk|deskterity)(?:\.(?:cjs|cmd|exe))?$|^deskterity@/;

const SECRET_WORD = /token|secret|password|passwd|credential|auth|key|bearer/i;

const SHAPES: Readonly<Record<EntryShape, (line: CommandLine, variables: readonly string[]) => ServerEntry>> =
  {
    plain: ({ command, args }) => ({ command, args: [...args] }),
    typed: ({ command, args }) => ({ type: 'stdio', command, args: [...args] }),
    forwarding: ({ command, args }, variables) => ({ command, args: [...args], env_vars: [...variables] }),
    'one-list': ({ command, args }) => ({ type: 'local', command: [command, ...args] }),
  };

/** `variables`: those of the desktop, for clients that pass on only the listed ones. */
export function serverEntry(
  { shape }: McpClient,
  line: CommandLine,
  variables: readonly string[],
): ServerEntry {
  return SHAPES[shape](line, variables);
}

/** Whether an entry found in a file starts Deskterity, and so may be changed. */
export function startsDeskterity(entry: unknown): boolean {
  const texts = commandTexts(entry);
  return texts.some((text) => OWN_PROGRAM.test(text)) && texts.some((text) => /^(?:--)?mcp$/.test(text));
}

/** Texts of our own entry that may be shown, except those next to words that suggest a secret. */
export function showableTexts(entry: unknown): readonly string[] {
  const texts = commandTexts(entry);
  return texts.filter((text, at) => !SECRET_WORD.test(text) && !SECRET_WORD.test(texts[at - 1] ?? ''));
}

/** Program and arguments in their order, in any of the shapes that clients have used. */
function commandTexts(entry: unknown): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const found = new Map<string, unknown>(Object.entries(entry));
  return [found.get('command'), found.get('args')].flatMap((part) => texts(part));
}

function texts(part: unknown): readonly string[] {
  if (typeof part === 'string') return [part];
  if (Array.isArray(part)) return part.filter((text) => typeof text === 'string');
  return typeof part === 'object' && part !== null
    ? Object.values(part).flatMap((inner) => texts(inner))
    : [];
}
