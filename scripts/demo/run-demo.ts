import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PrivateDesktop } from '../../src/platform/linux/private-desktop/private-desktop.ts';
import { calculate, takeNote } from './scenario.ts';
import { Album } from './album.ts';
import { Desk } from './desk.ts';
import { page } from './page.ts';
import { Recorder, DemoFailed } from './recorder.ts';
import type { DemoReport } from './step.ts';
import { summary } from './summary.ts';

interface DemoOptions {
  /** The project's folder. */
  readonly root: string;
  readonly say: (text: string) => void;
}

interface DemoOutcome {
  readonly ok: boolean;
  readonly folder: string;
  /** What `npm run demo -- --json` prints. */
  readonly result: unknown;
}

/** Starts a private desktop, operates two applications in it, and writes a report to demo-output/. */
export async function runDemo({ root, say }: DemoOptions): Promise<DemoOutcome> {
  const begin = performance.now();
  const folder = join(root, 'demo-output');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };

  const desktop = await PrivateDesktop.start({ deadlineMs: 20_000, width: 900, height: 560 });
  say(`private desktop ${desktop.display} ready in ${Math.round(desktop.readyInMs)} ms`);
  const desk = new Desk(desktop.environment, folder, version);
  const album = new Album(folder, (path) => desk.call('screenshot', { screen: true, path }));
  const recorder = new Recorder({ desk, folder, album, say });
  const toolkits = new Set<string>();
  let ok = true;
  try {
    const parts = { desk, recorder, toolkits };
    const shown = await calculate(parts);
    await takeNote(parts, join(folder, 'note.txt'), `The calculator says: 7 × 6 = ${shown}`);
  } catch (error) {
    ok = false;
    if (!(error instanceof DemoFailed))
      say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await desk.close().catch(() => undefined);
    await desktop.stop();
  }

  const report: DemoReport = {
    ...(await album.finish()),
    ok,
    version,
    toolkits: [...toolkits],
    steps: recorder.steps,
    totalMs: Math.round(performance.now() - begin),
  };
  await writeFile(join(folder, 'summary.md'), summary(report));
  await writeFile(join(folder, 'index.html'), page(report));
  return { ok, folder, result: asJson(report) };
}

function asJson({ ok, toolkits, steps, story }: DemoReport): unknown {
  return {
    ok,
    toolkits,
    story: inProject(story),
    steps: steps.map(({ what, command, effect, evidence, before, after, annotated }) => {
      return {
        what,
        command,
        effect,
        evidence,
        before: inProject(before),
        after: inProject(after),
        annotated: inProject(annotated),
      };
    }),
  };
}

function inProject(file: string | undefined): string | null {
  return file === undefined ? null : `demo-output/${file}`;
}
