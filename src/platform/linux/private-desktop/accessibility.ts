import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** TEMPORARY until src/platform/linux/dbus is there. */
async function gdbus(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<string> {
  const { stdout } = await run('gdbus', ['call', '--session', ...args], { env: { ...environment } });
  return stdout;
}

/** Tells the bus which display the services it starts belong to. */
export async function setActivationDisplay(
  environment: Readonly<Record<string, string>>,
  display: string,
): Promise<void> {
  await gdbus(environment, [
    ...['--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus'],
    ...['--method', 'org.freedesktop.DBus.UpdateActivationEnvironment', `{'DISPLAY':'${display}'}`],
  ]);
}

/** Starts the accessibility bus, switches accessibility on and returns the bus's address. */
export async function startAccessibility(environment: Readonly<Record<string, string>>): Promise<string> {
  const object = ['--dest', 'org.a11y.Bus', '--object-path', '/org/a11y/bus'];
  const answer = await gdbus(environment, [...object, '--method', 'org.a11y.Bus.GetAddress']);
  for (const property of ['IsEnabled', 'ScreenReaderEnabled']) {
    await gdbus(environment, [
      ...object,
      ...['--method', 'org.freedesktop.DBus.Properties.Set', 'org.a11y.Status', property, '<true>'],
    ]);
  }
  return answer.slice(answer.indexOf("'") + 1, answer.lastIndexOf("'"));
}
