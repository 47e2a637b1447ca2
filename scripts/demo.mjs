/**
 * `npm run demo`: sets up the machine, builds, and operates two real applications on a private desktop.
 * Writes demo-output/.
 */
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { readArguments } from './lib/arguments.mjs';
import { SetupError, createProgress, main } from './lib/progress.mjs';
import { run } from './lib/run.mjs';
import { root, setup } from './setup.mjs';

const USAGE = `Usage: npm run demo -- [--yes] [--skip-install] [--json] [--publish]
Operates two real applications on an invisible desktop; pictures and a page are in demo-output/.
  --yes           install what is missing without asking
  --skip-install  install nothing
  --json          print the result as one JSON object
  --publish       also make the animation the picture of the README (docs/images/demo.png)`;

await main(async () => {
  const { values } = readArguments(USAGE, {
    options: {
      json: { type: 'boolean' },
      yes: { type: 'boolean' },
      'skip-install': { type: 'boolean' },
      publish: { type: 'boolean' },
    },
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
  if (values.publish && ok) {
    copyFileSync(path.join(folder, 'story.png'), path.join(root, 'docs/images/demo.png'));
    progress.say('The animation is now docs/images/demo.png.');
  }
  if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`);
  progress.say(
    ok ? `\nDone. Pictures and a summary: ${folder}` : `\nThe demo failed. Its output so far: ${folder}`,
  );
  return ok ? 0 : 1;
});
