import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { ResolvedConfiguration } from '../../../src/model/configuration/config.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import type { ConfigurationRequest } from '../../../src/ports/platform.ts';
import {
  combineSettings,
  createConfigurationLoader,
} from '../../../src/platform/node/configuration/configuration-file.ts';
import { readSettings } from '../../../src/platform/node/configuration/configuration-table.ts';

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
    return createConfigurationLoader()({ environment, configFolder: this.folder, flags });
  }
}

/** The settings of a call whose configuration file contains `text`; `undefined` for no file. */
export function resolveText(request: ConfigurationRequest, text: string | undefined): ResolvedConfiguration {
  const file = join(request.configFolder, 'config.toml');
  const settings = text === undefined ? undefined : readSettings(file, Buffer.from(text).toString());
  return combineSettings(request, file, settings);
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
