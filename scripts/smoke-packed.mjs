/**
 * Packs the package as it would be published, installs it into an empty folder with install scripts blocked,
 * and runs it there. Needs a build.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { npmCommand } from './lib/npm.mjs';
import { SetupError, main } from './lib/progress.mjs';
import { run } from './lib/run.mjs';
import { root } from './setup.mjs';

async function npm(args, cwd) {
  const { command, prefix } = npmCommand();
  const result = await run(command, [...prefix, ...args], { cwd, timeoutMs: 180_000 });
  if (result.code !== 0)
    throw new SetupError(`npm ${args[0]} failed (exit ${result.code}):\n${result.output}`, 1);
  return result.stdout;
}

/** A minimal environment: no display, no session bus, a temporary home. */
function bareEnvironment(home) {
  const keep = Object.fromEntries(['PATH', 'LANG'].map((name) => [name, process.env[name] ?? '']));
  return { ...keep, HOME: home, XDG_RUNTIME_DIR: home, TMPDIR: tmpdir() };
}

function expect(condition, message, output = '') {
  if (!condition) throw new SetupError(`${message}\n${output}`, 1);
  console.log(`ok  ${message}`);
}

/** The program of somebody who has installed only this package. */
const CONSUMER = `import { Desktop, DeskterityError } from 'deskterity';
import type { Receipt, Ref, Snapshot } from 'deskterity';

await using desktop = await Desktop.open();
const { programVersion } = await desktop.version();
const failure: unknown = await desktop.snapshot({ interactiveOnly: true }).catch((error: unknown) => error);
const code = failure instanceof DeskterityError ? failure.code : 'no failure';
export const press = async (window: Snapshot, ref: Ref = window.find('button', 'Save').ref): Promise<Receipt> =>
  desktop.click(ref, { timeoutMs: 500, signal: AbortSignal.timeout(1000) });
console.log(programVersion, code);
`;

/** Checks the types without access to any other package, and runs the program. */
async function checkLibrary(folder, env, version) {
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(path.join(folder, 'consumer.ts'), CONSUMER);
  writeFileSync(path.join(folder, 'wrong.ts'), CONSUMER.replace('interactiveOnly', 'interactiveOnyl'));
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const flags = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2022'];
  const compile = (file, ...more) =>
    run(process.execPath, [compiler, ...flags, ...more, file], { cwd: folder, env, timeoutMs: 60_000 });
  const typed = await compile('consumer.ts');
  expect(typed.code === 0, 'the types of the library need no other package', typed.output);
  const wrong = await compile('wrong.ts', '--noEmit');
  expect(
    wrong.code !== 0 && wrong.output.includes('interactiveOnyl'),
    'a misspelt option does not compile',
    wrong.output,
  );
  // A display that does not exist: without DISPLAY a private desktop would be started.
  const display = { DISPLAY: ':5999' };
  const used = await run(process.execPath, ['consumer.js'], {
    cwd: folder,
    env: { ...env, ...display },
    timeoutMs: 20_000,
  });
  expect(
    used.code === 0 && used.stdout === `${version} DISPLAY_UNAVAILABLE\n`,
    "import { Desktop } from 'deskterity' works, and its process ends",
    `exit ${used.code}\n${used.output}`,
  );
}

await main(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'deskterity-packed-'));
  try {
    await npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], root);
    const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    expect(archive !== undefined, 'npm pack makes an archive');
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    await npm(['install', ...flags, `./${archive}`], folder);

    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const env = bareEnvironment(folder);
    for (const name of ['desk', 'deskterity']) {
      const bin = path.join(folder, 'node_modules/.bin', name);
      expect(statSync(bin).isFile(), `the package brings ${name}`);
      const result = await run(bin, ['version'], { cwd: folder, env, timeoutMs: 20_000 });
      expect(
        result.code === 0 && result.stdout.includes(version),
        `${name} version says ${version}`,
        result.output,
      );
    }
    const desk = path.join(folder, 'node_modules/.bin/desk');
    const help = await run(desk, ['--help'], { cwd: folder, env, timeoutMs: 20_000 });
    expect(
      help.code === 0 && help.stdout.includes('snapshot'),
      'desk --help lists the commands',
      help.output,
    );
    const apps = await run(desk, ['--no-daemon', 'list-apps'], { cwd: folder, env, timeoutMs: 20_000 });
    expect(
      apps.code === 11 && apps.output.includes('DISPLAY_UNAVAILABLE'),
      'desk --no-daemon list-apps without a display fails with DISPLAY_UNAVAILABLE and exit code 11',
      `exit ${apps.code}\n${apps.output}`,
    );
    const webp = await run(desk, ['--no-daemon', 'screenshot', 'x.webp'], {
      cwd: folder,
      env,
      timeoutMs: 20_000,
    });
    expect(
      webp.code === 9 && webp.output.includes('which is not installed'),
      'a WebP picture without the optional package names the package to install and exits with 9',
      `exit ${webp.code}\n${webp.output}`,
    );
    const unknown = await run(desk, ['no-such-command'], { cwd: folder, env, timeoutMs: 20_000 });
    expect(unknown.code === 5, 'an unknown command exits with 5', `exit ${unknown.code}\n${unknown.output}`);
    const schema = createRequire(path.join(folder, 'index.js')).resolve(
      'deskterity/schemas/click.output.json',
    );
    expect(
      JSON.parse(readFileSync(schema, 'utf8')).title === 'Answer of click',
      'the package contains the JSON Schemas of all answers',
    );
    await checkLibrary(folder, env, version);
    // The calls above have started a daemon, which must not outlive its folder.
    const stopped = await run(desk, ['daemon', 'stop'], { cwd: folder, env, timeoutMs: 20_000 });
    expect(stopped.code === 0, 'desk daemon stop ends the daemon', `exit ${stopped.code}\n${stopped.output}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
