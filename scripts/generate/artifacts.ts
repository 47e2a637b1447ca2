import { commands } from '../../src/commands/index.generated.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { commandsPage } from './commands-page.ts';
import { errorsPage } from './errors-page.ts';
import { guaranteesPage, refusalsFile } from './guarantees-page.ts';
import { libraryFiles } from './library.ts';
import { manifestFile, toManifest } from './manifest-file.ts';
import { manualFile, toManual } from './manual-file.ts';
import { mcpPage } from './mcp-page.ts';
import { rolesPage } from './roles-page.ts';

/** Generated files by path from the repository's root. */
export type Artifacts = ReadonlyMap<string, string>;

/** Everything that follows from the commands and the model. */
export function artifacts(version: string): Artifacts {
  const registry = createRegistry(commands);
  const manifest = toManifest(registry, version);
  const manual = toManual(registry);
  return new Map([
    ['src/surfaces/cli/arguments/manifest.generated.ts', manifestFile(manifest)],
    ['src/model/effects/refusals.generated.ts', refusalsFile(registry)],
    ['src/surfaces/cli/printing/manual.generated.ts', manualFile(manual)],
    ...libraryFiles(registry, version),
    ['docs/reference/commands.md', commandsPage(manifest, manual)],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/guarantees.md', guaranteesPage(registry)],
    ['docs/reference/mcp.md', mcpPage(registry)],
    ['docs/reference/roles-and-states.md', rolesPage()],
  ]);
}
