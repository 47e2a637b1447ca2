import { outlineFinished } from '../../model/terminals/finished-command.ts';
import type { FinishedCommand } from '../../model/terminals/finished-command.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { LogPort } from '../../ports/log.ts';
import type { Environment } from '../../model/sessions/caller.ts';

const LIMIT_MS = 5000;

/** Shows the user that a command has ended, by a notice on their desktop. Never rejects: that none can be shown stands in the log. */
export async function showFinished(
  log: Pick<LogPort, 'write'>,
  environment: Environment,
  finished: FinishedCommand,
): Promise<void> {
  try {
    const { showDesktopNotice } = await import('../../platform/linux/machine/desktop-notice.ts');
    const { exit_code: code } = finished;
    await showDesktopNotice(
      environment['DBUS_SESSION_BUS_ADDRESS'],
      {
        summary: code === undefined || code === 0 ? 'A command has ended' : 'A command has failed',
        body: outlineFinished(finished),
      },
      { deadlineMs: LIMIT_MS },
    );
  } catch (error) {
    const code = error instanceof DeskterityError ? error.code : 'INTERNAL';
    log.write({ level: 'warn', message: 'no notice could be shown on the desktop', fields: { error: code } });
  }
}
