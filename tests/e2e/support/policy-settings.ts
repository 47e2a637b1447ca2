import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A policy that only the calls of one test are given; outside of the folder that tools are confined to. */
export async function policy(text: string): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'deskterity-settings-'));
  await mkdir(join(folder, 'deskterity'));
  await writeFile(join(folder, 'deskterity', 'policy.toml'), text, { mode: 0o600 });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { XDG_CONFIG_HOME: folder };
}
