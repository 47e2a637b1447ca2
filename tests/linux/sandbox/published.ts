import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lab, kill } from '../../daemon/support.ts';
import { builtProgram } from '../../e2e/support/build.ts';
import { until } from '../../until.ts';

/** The published program with native code beside it, and folders of its own for what it keeps. */
export class Published extends Lab {
  private readonly installed: string;

  private constructor(folder: string, program: string) {
    super(folder, join(program, 'dist'));
    this.installed = program;
    mkdirSync(this.runtime, { mode: 0o700 });
  }

  static async open(): Promise<Published> {
    const { folder } = await builtProgram();
    return new Published(realpathSync(mkdtempSync(join(tmpdir(), 'dkw-'))), folder);
  }

  /** Where it keeps what it does, whoever calls. */
  get folders(): NodeJS.ProcessEnv {
    return {
      XDG_CACHE_HOME: join(this.folder, 'cache'),
      XDG_STATE_HOME: join(this.folder, 'state'),
      XDG_CONFIG_HOME: join(this.folder, 'config'),
    };
  }

  /** Process ids of what holds its operations. */
  holders(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
          return line.includes('holder.js') && line.includes(this.folder);
        } catch {
          return false;
        }
      })
      .map(Number);
  }

  override async stop(): Promise<void> {
    for (const pid of this.holders()) kill(pid);
    await until(() => this.holders().length === 0, 'the holders are gone');
    await super.stop();
    rmSync(this.installed, { recursive: true, force: true });
  }
}
