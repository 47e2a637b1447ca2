/**
 * `npm run demo`: sets up the machine, builds, and operates two real applications on a private desktop.
 * Writes demo-output/. Options: --json (one JSON object on standard output), --yes, --skip-install.
 */
import { parseArgs } from 'node:util';
import { SetupError, createProgress, main } from './lib/progress.mjs';
import { run } from './lib/run.mjs';
import { root, setup } from './setup.mjs';

await main(async () => {
  const { values } = parseArgs({
    options: { json: { type: 'boolean' }, yes: { type: 'boolean' }, 'skip-install': { type: 'boolean' } },
  });
  const progress = createProgress({ stream: values.json ? process.stderr : process.stdout });
  await setup({
    purpose: 'demo',
    assumeYes: values.yes,
    skipInstall: values['skip-install'],
    progress,
  });
  progress.say('building');
  const build = await run(process.execPath, ['scripts/build.mjs'], { cwd: root, timeoutMs: 120_000 });
  if (build.code !== 0) throw new SetupError(`The build failed (exit ${build.code}):\n${build.output}`, 1);

  const { importTs } = await import('./run-ts.mjs');
  const { runDemo } = await importTs('scripts/demo/run-demo.ts');
  const { ok, result, folder } = await runDemo({ root, say: progress.say });
  if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`);
  progress.say(
    ok ? `\nDone. Pictures and a summary: ${folder}` : `\nThe demo failed. Its output so far: ${folder}`,
  );
  return ok ? 0 : 1;
});
