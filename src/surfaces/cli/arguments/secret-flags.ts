import type { ManifestCommand, ManifestParameter } from './manifest.ts';

export const FROM_STDIN = 'from_stdin';
export const FROM_ENV = 'from_env';

/** Additional flags of a command with a secret. In a list of pairs, they stand where a value would. */
export function secretFlags({
  secret,
  parameters,
}: Pick<ManifestCommand, 'secret' | 'parameters'>): readonly (ManifestParameter & {
  readonly flag: string;
})[] {
  const isPairs = parameters.some(({ bare }) => bare === 'pairs');
  if (secret === undefined && !isPairs) return [];
  const what = isPairs ? 'value of the target before it' : secret;
  return [
    {
      key: FROM_STDIN,
      flag: 'from-stdin',
      type: 'boolean',
      help: `Read the ${what} from standard input, so that other programs cannot see it; on a terminal, prompt without echo.`,
    },
    {
      key: FROM_ENV,
      flag: 'from-env',
      type: 'string',
      help: `Read the ${what} from this environment variable.`,
    },
  ];
}

/** As parsed, or JSON of the caller; the command checks it. */
export type GivenInput = Readonly<Record<string, unknown>>;
