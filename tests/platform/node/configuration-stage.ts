import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { ResolvedConfiguration } from '../../../src/model/configuration/config.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { resolveConfiguration } from '../../../src/platform/node/configuration/configuration-file.ts';

/** A configuration folder for one test. */
export class ConfigurationStage {
  folder = '';

  constructor() {
    beforeEach(async () => {
      this.folder = await mkdtemp(join(tmpdir(), 'deskterity-config-'));
    });
    afterEach(() => rm(this.folder, { recursive: true }));
  }

  get file(): string {
    return join(this.folder, 'config.toml');
  }

  resolve(
    environment: Readonly<Record<string, string | undefined>> = {},
    flags?: Record<string, string>,
  ): Promise<ResolvedConfiguration> {
    return resolveConfiguration({ environment, configFolder: this.folder, flags });
  }
}

/** The files port of a machine whose every file holds `text`. */
export function inMemory(text: string) {
  return { files: { read: async () => new TextEncoder().encode(text) } };
}

/** What a promise fails with. */
export async function failureOf(promise: Promise<unknown>): Promise<DeskterityError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DeskterityError)) throw new Error(`no DeskterityError: ${String(error)}`);
  return error;
}
