import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startService, type ServiceRequest } from './service.ts';

/**
 * Services that would reach outside the desktop or mount something in it: their activation fails at once.
 * A service file in the runtime folder takes precedence over the system's.
 */
const MASKED_SERVICES = [
  'org.freedesktop.systemd1',
  'org.freedesktop.portal.Desktop',
  'org.freedesktop.portal.Documents',
  'org.freedesktop.portal.Flatpak',
  'org.freedesktop.secrets',
  'org.gnome.keyring',
  'org.gtk.vfs.Daemon',
  'org.gtk.vfs.UDisks2VolumeMonitor',
];

/** The address the bus will have; known before it starts. */
export function sessionBusAddress(runtimeFolder: string): string {
  return `unix:path=${escapeAddress(path.join(runtimeFolder, 'bus'))}`;
}

/** Starts dbus-daemon with our own configuration: one socket, this user only, no systemd, the distribution's services. */
export async function startSessionBus(
  request: ServiceRequest & { readonly runtimeFolder: string },
): Promise<void> {
  const services = path.join(request.runtimeFolder, 'dbus-1', 'services');
  mkdirSync(services, { recursive: true, mode: 0o700 });
  for (const name of MASKED_SERVICES) {
    writeFileSync(path.join(services, `${name}.service`), `[D-BUS Service]\nName=${name}\nExec=/bin/false\n`);
  }
  await startBus(
    request,
    'session-bus',
    busConfiguration(sessionBusAddress(request.runtimeFolder), services),
  );
}

/** The address of the bus that stands in for the system's. */
export function systemBusAddress(runtimeFolder: string): string {
  return `unix:path=${escapeAddress(path.join(runtimeFolder, 'system-bus'))}`;
}

/** Starts a bus without any service, for programs that do not start without a system bus; they must not reach the machine's. */
export async function startSystemBus(
  request: ServiceRequest & { readonly runtimeFolder: string },
): Promise<void> {
  await startBus(request, 'system-bus', busConfiguration(systemBusAddress(request.runtimeFolder)));
}

async function startBus(
  request: ServiceRequest & { readonly runtimeFolder: string },
  name: string,
  text: string,
): Promise<void> {
  const configuration = path.join(request.runtimeFolder, `${name}.conf`);
  writeFileSync(configuration, text);
  const args = [
    `--config-file=${configuration}`,
    '--nofork',
    '--nopidfile',
    '--nosyslog',
    '--print-address=1',
  ];
  await startService(request, { name, args, readyDescriptor: 1 });
}

/** @param masked folder of services that come before those of the distribution; without it there are none at all */
function busConfiguration(address: string, masked?: string): string {
  const services =
    masked === undefined
      ? ''
      : `<servicedir>${escapeXml(masked)}</servicedir>\n  <standard_session_servicedirs/>`;
  return `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <keep_umask/>
  <listen>${escapeXml(address)}</listen>
  <auth>EXTERNAL</auth>
  ${services}
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
  <limit name="max_incoming_bytes">1000000000</limit>
  <limit name="max_outgoing_bytes">1000000000</limit>
  <limit name="max_message_size">1000000000</limit>
  <limit name="max_completed_connections">100000</limit>
  <limit name="max_incomplete_connections">10000</limit>
  <limit name="max_connections_per_user">100000</limit>
  <limit name="max_pending_service_starts">10000</limit>
  <limit name="max_names_per_connection">50000</limit>
  <limit name="max_match_rules_per_connection">50000</limit>
  <limit name="max_replies_per_connection">50000</limit>
</busconfig>
`;
}

function escapeAddress(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9\-_/.\\*]/g, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
