/**
 * Records what real programs write to a terminal of 80×24, for the tests of src/terminal. Each tests/terminal/streams/NAME.bin has the bytes up to a
 * moment at which the program is idle. Run it only to renew them; it needs script, vim, less, top and git. The programs run in a temporary folder
 * that contains nothing of this machine.
 */
import { spawn, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const streams = path.join(
  path.dirname(path.dirname(fileURLToPath(import.meta.url))),
  'tests/terminal/streams',
);
const QUIET_MS = 700;
const LONGEST_MS = 8000;

const LINES = Array.from({ length: 60 }, (_, index) => `${String(index + 1).padStart(3)} a line of the text`);
const TEXT = [
  ...LINES.slice(0, 4),
  'wide 漢字かな and e\u0301 and 😀, then a tab:\there',
  `long ${'0123456789'.repeat(12)}`,
  ...LINES.slice(4),
];

/** The command for the shell, and the keys to type, each once the program is quiet. */
const RECORDINGS = {
  vim: ['vim -u NONE -i NONE -n -N --cmd "set laststatus=2 ruler showmode" text.txt', 'jj', 'ihello '],
  'vim-selection': ['vim -u NONE -i NONE -n -N text.txt', '7GVj'],
  less: ['less text.txt', ' ', 'b'],
  'less-end': ['less text.txt', 'G'],
  'git-log': ['git log --color=always | less -R', 'j'],
  top: ['sleep 60 & a=$!; sleep 61 & top -d 60 -p $a,$!'],
  bash: [
    'bash --norc --noprofile',
    'PS1="$ "; clear\r',
    'seq 1 30\r',
    'printf "%s\\n" 漢字 e\u0301 "👩\u200D👧 x"; printf "\\033[7minverse\\033[m\\n"\r',
  ],
  menu: [`sh ${path.join(streams, 'menu.sh')}`, 'jj'],
  dialog: [`sh ${path.join(streams, 'dialog.sh')}`],
};

function prepare() {
  const folder = mkdtempSync(path.join(tmpdir(), 'record-'));
  writeFileSync(path.join(folder, 'text.txt'), `${TEXT.join('\n')}\n`);
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  const git = (...args) =>
    execFileSync('git', ['-C', folder, ...author, ...args], {
      env: {
        ...process.env,
        GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
        GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
        GIT_CONFIG_GLOBAL: '/dev/null',
      },
    });
  git('init', '-q', '-b', 'main');
  for (let number = 1; number <= 8; number += 1)
    git('commit', '-q', '--allow-empty', '-m', `change ${number}`);
  return folder;
}

async function record(folder, [command, ...keys]) {
  const child = spawn('script', ['-qfc', `stty rows 24 cols 80; ${command}`, '/dev/null'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      LESS: '',
      GIT_CONFIG_GLOBAL: '/dev/null',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const chunks = [];
  let heardAt = performance.now();
  child.stdout.on('data', (chunk) => {
    chunks.push(chunk);
    heardAt = performance.now();
  });
  const quiet = async () => {
    const startedAt = performance.now();
    heardAt = startedAt;
    while (performance.now() - heardAt < QUIET_MS && performance.now() - startedAt < LONGEST_MS)
      await new Promise((resolve) => setTimeout(resolve, 50));
  };
  await quiet();
  for (const text of keys) {
    child.stdin.write(text);
    await quiet();
  }
  const bytes = Buffer.concat(chunks);
  if (child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  return bytes;
}

const folder = prepare();
const wanted = process.argv.slice(2);
for (const [name, recording] of Object.entries(RECORDINGS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const bytes = await record(folder, recording);
  writeFileSync(path.join(streams, `${name}.bin`), bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}
rmSync(folder, { recursive: true, force: true });
console.log(`${readdirSync(streams).length} files in ${streams}`);
