import type { ParseStep } from './lists.ts';
import type { ManifestCommand } from './manifest.ts';
import type { GivenInput } from './secret-flags.ts';
import { withSecret, type Completed, type SecretSources } from './secrets.ts';
import { withFile } from './steps-file.ts';

/**
 * The input with what its file, standard input and the environment have of it.
 * @throws UsageError if one of these cannot be read, or a secret has no source, or several
 * @throws CallFailure when the user cancels
 */
export async function completeInput(
  command: ManifestCommand,
  given: GivenInput,
  sources: SecretSources,
  { parse, commands }: { readonly parse: ParseStep; readonly commands: readonly ManifestCommand[] },
): Promise<Completed> {
  const whole = await withFile(command, given, sources, parse);
  return withSecret(command, whole.input, whole.sources, commands);
}
