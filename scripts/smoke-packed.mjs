/**
 * Packs the package as it would be published, installs it into an empty folder with install scripts blocked,
 * and runs it there. Needs a build.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

/** The least a program needs: no display, no session bus, a home of its own. */
function bareEnvironment(home) {
  const keep = Object.fromEntries(['PATH', 'LANG'].map((name) => [name, process.env[name] ?? '']));
  return { ...keep, HOME: home, XDG_RUNTIME_DIR: home, TMPDIR: tmpdir() };
}

function expect(condition, message, output = '') {
  if (!condition) throw new SetupError(`${message}\n${output}`, 1);
  console.log(`ok  ${message}`);
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
    const apps = await run(desk, ['list-apps'], { cwd: folder, env, timeoutMs: 20_000 });
    expect(
      apps.code === 11 && apps.output.includes('DISPLAY_UNAVAILABLE'),
      'desk list-apps without a display says DISPLAY_UNAVAILABLE and exits with 11',
      `exit ${apps.code}\n${apps.output}`,
    );
    const unknown = await run(desk, ['no-such-command'], { cwd: folder, env, timeoutMs: 20_000 });
    expect(unknown.code === 5, 'an unknown command exits with 5', `exit ${unknown.code}\n${unknown.output}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
