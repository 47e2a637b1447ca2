import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import clipboardGet from '../../src/commands/clipboard/clipboard-get.ts';
import mcpInstall from '../../src/commands/mcp/mcp-install.ts';
import screenshot from '../../src/commands/observation/screenshot.ts';
import toolsInit from '../../src/commands/operations/tools-init.ts';
import sessionView from '../../src/commands/sessions/session-view.ts';
import auditExport from '../../src/commands/system/audit-export.ts';
import { createDocuments } from '../../src/platform/node/documents/documents.ts';
import { createFiles } from '../../src/platform/node/files.ts';
import type { CommandContext, CommandDefinition } from '../../src/registry/define.ts';
import { invoke } from '../../src/registry/invoke.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { intent, newFolder, openLog } from '../audit/support.ts';
import { fingerprint, makeNotFiles } from '../not-files.ts';
import { fakeDesktop } from './fake-engine.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'deskterity-test-')));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const bytes = new Uint8Array([1]);
const picture = {
  bytes,
  width: 1,
  height: 1,
  origin: { x: 0, y: 0 },
  scale: 1,
  clipped: false,
  blanked: 0,
  unread: [],
  labels: [],
};

async function run(definition: CommandDefinition, input: unknown): Promise<unknown> {
  const [command] = createRegistry([definition]).commands;
  if (command === undefined) throw new Error('no command');
  const { ctx } = fakeDesktop(
    { screenshot: async () => picture, readClipboard: async () => ({ kind: 'image', png: bytes }) },
    {
      files: createFiles(),
      documents: async () => createDocuments(),
      cwd: folder,
      environment: { HOME: folder, PATH: '' },
    },
  );
  const tools: Awaited<ReturnType<CommandContext['tools']>> = {
    list: async () => ({ files: [], problems: [] }),
    validate: async () => ({ checked: 0, problems: [], notChecked: [] }),
    trust: async (path) => ({ path, tools: [] }),
    draft: async (name) => ({ name, text: '{}', isReady: true, leftOut: [] }),
    folder: join(folder, 'tools'),
  };
  const sessions: CommandContext['sessions'] = { ...ctx.sessions, picture: async () => picture };
  const log = openLog(newFolder());
  await (
    await log.record(intent('click'))
  ).synced;
  const audit: CommandContext['audit'] = {
    log: async () => log,
    onFailure: 'refuse',
    recordsReads: false,
    who: {},
    onProblem: () => undefined,
  };
  return invoke(command, { ...ctx, audit, tools: async () => tools, sessions }, input);
}

/** Every command that writes to a path that its caller chooses, and that path. */
const WRITERS: readonly (readonly [CommandDefinition, Record<string, unknown>, string])[] = [
  [screenshot, { path: 'made/picture.png' }, 'made/picture.png'],
  [sessionView, { path: 'made/picture.png' }, 'made/picture.png'],
  [clipboardGet, { image: 'made/picture.png' }, 'made/picture.png'],
  [toolsInit, { command: 'git', force: true }, 'tools/git.json'],
  [mcpInstall, { client: 'cursor' }, '.cursor/mcp.json'],
  [auditExport, { path: 'made/audit.jsonl' }, 'made/audit.jsonl'],
];

it.each(WRITERS)('a writer creates missing folders (%#)', async (command, input, path) => {
  await run(command, input);
  expect(readdirSync(join(folder, dirname(path)))).toContain(path.slice(path.lastIndexOf('/') + 1));
});

it.each(WRITERS)('a writer replaces nothing but regular files (%#)', async (command, input, path) => {
  const { notFiles, close } = await makeNotFiles(folder);
  try {
    for (const { path: notFile } of notFiles) {
      const place = join(folder, path);
      rmSync(dirname(place), { recursive: true, force: true });
      mkdirSync(dirname(place));
      symlinkSync(notFile, place);
      const before = [fingerprint(place), fingerprint(notFile)];
      await expect(run(command, input)).rejects.toMatchObject({
        code: expect.stringMatching(/^(INVALID_ARGUMENT|CONFIG_INVALID)$/),
        suggestion: expect.stringContaining('Nothing was'),
      });
      expect([fingerprint(place), fingerprint(notFile)]).toEqual(before);
      expect(readdirSync(dirname(place))).toHaveLength(1);
    }
  } finally {
    close();
  }
});
