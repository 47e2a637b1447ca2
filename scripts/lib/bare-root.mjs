import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { aptInstall } from './apt.mjs';
import { SetupError } from './progress.mjs';
import { ask, run } from './run.mjs';

const SUITE = 'bookworm';
/** Not the usual path: installing ca-certificates inside would overwrite that. */
const CERTIFICATES = '/etc/host-certificates.crt';

/** The archive that this machine gets its packages from; the project records nothing about it. */
async function mirror() {
  const format = '$(REPO_URI) $(RELEASE) $(COMPONENT)';
  const targets = await ask('apt-get', ['indextargets', '--format', format, 'Created-By: Packages']);
  const line = (targets ?? '').split('\n').find((target) => target.endsWith(` ${SUITE} main`));
  if (line === undefined) {
    throw new SetupError(
      `The package sources of this machine do not have Debian's ${SUITE}, which the bare system is made of.`,
    );
  }
  return line.split(' ')[0];
}

/** A minimal Debian as a tar archive, made once and stored in `cache`. */
export async function baseArchive({ cache, fresh, progress }) {
  const archive = path.join(cache, `${SUITE}-minbase.tar`);
  if (existsSync(archive) && !fresh) return archive;
  const folder = path.join(cache, `base-${process.pid}`);
  progress.say(`debootstrap: a minimal Debian ${SUITE} (once; kept in .cache)`);
  if ((await run('debootstrap', ['--version'], { timeoutMs: 10_000 })).code !== 0) {
    await aptInstall(['debootstrap'], { asRoot: [], progress });
  }
  const stop = progress.heartbeat('making the minimal Debian');
  const args = ['--variant=minbase', SUITE, folder, await mirror()];
  const made = await run('debootstrap', args, {
    timeoutMs: 1_200_000,
    onLine: (line) => {
      if (
        /^I: (Retrieving InRelease|Resolving|Unpacking the base|Configuring the base|Base system)/.test(line)
      ) {
        progress.say(`debootstrap: ${line.slice(3)}`);
      }
    },
  });
  stop();
  try {
    if (made.code !== 0) {
      throw new SetupError(`debootstrap failed (exit ${made.code}):\n${made.output.slice(-2000)}`);
    }
    execFileSync('tar', [
      '-C',
      folder,
      '--exclude=./var/cache/apt/archives/*.deb',
      '--exclude=./var/lib/apt/lists/*_*',
      '-cf',
      `${archive}.part`,
      '.',
    ]);
    renameSync(`${archive}.part`, archive);
  } finally {
    execFileSync('rm', ['-rf', '--one-file-system', folder]);
  }
  return archive;
}

function copyIfThere(from, to) {
  if (existsSync(from)) cpSync(from, to, { recursive: true, dereference: true });
}

/** Copies how this machine reaches its package archives: sources, keys, and the settings of apt's `Acquire` section. */
async function copyAptSettings(folder) {
  const config = (await ask('apt-config', ['dump'])) ?? '';
  const settings = config
    .split('\n')
    .filter((line) =>
      /^Acquire::(?!IndexTargets|CompressionTypes|Languages|Changelogs|cdrom|https?::CaInfo)\S+ ".+"/.test(
        line,
      ),
    )
    .join('\n');
  const certificates = `Acquire::https::CaInfo "${CERTIFICATES}";\nAPT::Sandbox::User "root";\n`;
  writeFileSync(path.join(folder, 'etc/apt/apt.conf.d/00host'), `${settings}\n${certificates}`);
  writeFileSync(path.join(folder, 'etc/apt/sources.list'), '');
  for (const name of [
    'sources.list',
    'sources.list.d',
    'trusted.gpg',
    'trusted.gpg.d',
    'auth.conf.d',
    'keyrings',
  ]) {
    copyIfThere(path.join('/etc/apt', name), path.join(folder, 'etc/apt', name));
  }
  copyIfThere('/usr/share/keyrings', path.join(folder, 'usr/share/keyrings'));
}

function hostCertificates() {
  const candidates = [
    process.env.NODE_EXTRA_CA_CERTS,
    process.env.SSL_CERT_FILE,
    '/etc/ssl/certs/ca-certificates.crt',
  ];
  return candidates.find((file) => file !== undefined && existsSync(file));
}

/** Copies Node and npm as they run here, and the registry that npm uses. */
async function copyNode(folder) {
  const local = path.join(folder, 'usr/local');
  cpSync(realpathSync(process.execPath), path.join(local, 'bin/node'));
  const npmScript = realpathSync((await ask('sh', ['-c', 'command -v npm'])) ?? '/usr/bin/npm');
  const npmFolder = path.dirname(path.dirname(npmScript));
  cpSync(npmFolder, path.join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(local, 'bin', name));
  const registry = await ask('npm', ['config', 'get', 'registry']);
  const lines = [`registry=${registry}`, `cafile=${CERTIFICATES}`, 'update-notifier=false'];
  writeFileSync(path.join(folder, 'root/.npmrc'), `${lines.join('\n')}\n`);
}

/** Unpacks the base, and adds Node and the committed project: a fresh clone on an otherwise empty machine. */
export async function prepareRoot({ folder, archive, project }) {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-C', folder, '-xf', archive]);
  await copyAptSettings(folder);
  for (const name of ['resolv.conf', 'hosts']) copyIfThere(`/etc/${name}`, path.join(folder, 'etc', name));
  const certificates = hostCertificates();
  if (certificates !== undefined)
    cpSync(certificates, path.join(folder, CERTIFICATES), { dereference: true });
  await copyNode(folder);
  const clone = path.join(folder, 'root/deskterity');
  mkdirSync(clone);
  execFileSync('sh', ['-c', 'git -C "$1" archive HEAD | tar -x -C "$2"', 'sh', project, clone]);
  return clone;
}

/**
 * Mounts the devices and folders that a container has, in a mount namespace that ends with its last process. Its root is changed by pivot_root, as
 * that of containers: below a plain chroot the kernel allows no user namespaces, which bubblewrap needs.
 */
const ENTER = `
set -e
mount --bind "$BARE_ROOT" "$BARE_ROOT"
cd "$BARE_ROOT"
mount -t proc proc proc
mount -t tmpfs -o mode=755 dev dev
for device in null zero full random urandom tty; do : > dev/$device; mount --bind /dev/$device dev/$device; done
mkdir dev/shm dev/pts
mount -t tmpfs -o mode=1777 shm dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 pts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
mount -t tmpfs -o mode=1777 tmp tmp
mkdir -p "$BARE_CACHE/debs" "$BARE_CACHE/npm" root/.npm
mount --bind "$BARE_CACHE/debs" var/cache/apt/archives
mount --bind "$BARE_CACHE/npm" root/.npm
mkdir -p .outside
pivot_root . .outside
exec chroot . sh -c 'umount -l /.outside; rmdir /.outside; exec "$@"' sh env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin NODE_EXTRA_CA_CERTS=${CERTIFICATES} $BARE_PROXY sh -c "cd /root/deskterity && $BARE_COMMAND"
`;

/** Runs one command line in the prepared system; of this machine's environment it passes only the proxies. */
export function runInside({ folder, cache, commandLine, timeoutMs, onLine }) {
  const proxies = Object.entries(process.env)
    .filter(([name]) => /^(https?|no)_proxy$/i.test(name))
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
  const env = {
    ...process.env,
    BARE_ROOT: folder,
    BARE_CACHE: cache,
    BARE_COMMAND: commandLine,
    BARE_PROXY: proxies,
  };
  const namespaces = [
    '--mount',
    '--pid',
    '--ipc',
    '--uts',
    '--fork',
    '--kill-child',
    '--propagation',
    'private',
  ];
  return run('unshare', [...namespaces, 'sh', '-c', ENTER], { env, timeoutMs, onLine });
}

/** What is missing from the pictures and the summary of the demo. */
export function demoOutputProblems(folder) {
  if (!existsSync(folder)) return ['demo-output/ was not written'];
  const files = readdirSync(folder, { recursive: true }).map(String);
  const problems = [];
  for (const name of ['summary.md', 'index.html'])
    if (!files.includes(name)) problems.push(`${name} is missing`);
  const pictures = files.filter((name) => name.endsWith('.png'));
  if (pictures.length < 4) problems.push(`only ${pictures.length} pictures`);
  for (const name of pictures) {
    const bytes = readFileSync(path.join(folder, name));
    if (bytes.length < 2000 || bytes.toString('latin1', 1, 4) !== 'PNG')
      problems.push(`${name} is no picture`);
  }
  return problems;
}
