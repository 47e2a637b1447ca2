import type { Confinement } from '../../model/tools/confinement.ts';

/** Programs, libraries and settings of macOS that every program reads; the counterpart of the read-only system paths on Linux. */
const SYSTEM_READS = [
  '/System',
  '/usr',
  '/bin',
  '/sbin',
  '/Library',
  '/opt',
  '/Applications/Xcode.app',
  '/private/etc',
  '/private/var/db/timezone',
  '/private/var/db/dyld',
  '/private/var/select',
];

/** Below {@link SYSTEM_READS}, but not readable. */
const SECRETS = [
  // Another path to the home folders.
  '/System/Volumes/Data',
  '/private/etc/master.passwd',
  '/private/etc/sudoers',
  '/private/etc/sudoers.d',
  '/private/etc/ssh',
  '/private/etc/krb5.keytab',
  '/Library/Keychains',
  '/System/Library/Keychains',
];

const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/dtracehelper'];
const OUTPUTS = ['/dev/stdout', '/dev/stderr', '/dev/fd'];

/** Symbolic links at the root of macOS; rules only match real paths. */
const LINKED = ['/var', '/tmp', '/etc'];

/**
 * The Seatbelt profile of a confinement, for `sandbox-exec -p`. The policy is the same as on Linux: only the scope and the system can be read,
 * only the scope written; network and Unix sockets are denied unless requested. Each statement is on one line, as sandbox-exec requires.
 */
export function seatbeltProfile(confinement: Confinement): string {
  const { scope, read, write, network, unixSockets } = confinement;
  const writable = [scope, ...write].map((path) => realPath(path));
  const asked = [...read.map((path) => realPath(path)), ...writable];
  const lines = [
    '(version 1)',
    '(deny default)',
    '(allow process-fork)',
    `(allow process-exec ${filters('subpath', [...SYSTEM_READS, ...asked])})`,
    // Signals to, and information about, processes in the same sandbox.
    '(allow signal (target same-sandbox))',
    '(allow process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    // Metadata is not secret, and no path can be resolved without it.
    '(allow file-read-metadata)',
    `(allow file-read* ${filters('literal', ['/', ...DEVICES])})`,
    `(allow file-read* ${filters('subpath', SYSTEM_READS)})`,
    `(deny file-read-data ${filters('subpath', SECRETS)})`,
    // The last matching statement wins, so the deny rule above does not hide paths that were requested by name.
    `(allow file-read* ${filters('subpath', asked)})`,
    `(allow file-write* ${filters('subpath', writable)})`,
    `(allow file-write-data ${filters('literal', DEVICES)} ${filters('subpath', OUTPUTS)})`,
    `(allow file-ioctl ${filters('literal', DEVICES)})`,
    // Services that every program uses: time zones, user names, C library settings.
    '(allow mach-lookup (global-name "com.apple.system.notification_center") (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.logger"))',
    '(allow ipc-posix-shm-read-data (ipc-posix-name "apple.shm.notification_center"))',
    ...socketLines(network, unixSockets),
  ];
  return `${lines.join('\n')}\n`;
}

function socketLines(network: boolean, unixSockets: boolean): string[] {
  return [
    ...(network
      ? [
          '(allow system-socket)',
          '(allow network-outbound (remote ip "*:*"))',
          '(allow network-inbound (local ip "*:*"))',
          '(allow network-bind (local ip "*:*"))',
          '(allow mach-lookup (global-name "com.apple.dnssd.service") (global-name "com.apple.SystemConfiguration.configd") (global-name "com.apple.trustd"))',
          '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
        ]
      : []),
    ...(unixSockets
      ? [
          '(allow system-socket)',
          '(allow network-outbound (remote unix-socket))',
          '(allow network-bind (local unix-socket))',
          '(allow network-inbound (local unix-socket))',
        ]
      : []),
  ].filter((line, index, all) => all.indexOf(line) === index);
}

function filters(kind: 'literal' | 'subpath', paths: readonly string[]): string {
  return [...new Set(paths)].map((path) => `(${kind} ${quoted(path)})`).join(' ');
}

/** `/var/folders` is `/private/var/folders`. */
function realPath(path: string): string {
  const linked = LINKED.some((link) => path === link || path.startsWith(`${link}/`));
  return linked ? `/private${path}` : path;
}

/** A string literal in the profile's language. A line break would split the statement. */
function quoted(path: string): string {
  if (!path.startsWith('/') || /[\p{Cc}\u2028\u2029]/u.test(path))
    throw new Error(`${JSON.stringify(path)} cannot be used in a sandbox profile.`);
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
