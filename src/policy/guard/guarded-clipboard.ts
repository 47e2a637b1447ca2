import { overlay } from '../../model/overlay.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { ClipboardFormats, ClipboardPort } from '../../ports/clipboard.ts';
import { ofProcess, type ApplicationGuard } from './application-guard.ts';
import { applicationDenied } from '../policy-error.ts';

/** What password managers offer beside a password, so that clipboard managers do not keep it. */
const SECRET_HINTS = /^(?:x-kde-passwordManagerHint|application\/x-nspasteboard-concealed-type)$/i;

/**
 * A clipboard of which nothing is read while a denied application holds it, or while its content is marked as a password. Who wrote what a clipboard manager
 * holds is not known.
 */
export function guardedClipboard(clipboard: ClipboardPort, guard: ApplicationGuard): ClipboardPort {
  const requireOwner = async (options: CallOptions): Promise<void> => {
    const pid = await clipboard.ownerPid(options);
    // What this process holds was put there through it.
    if (pid !== undefined && pid !== process.pid) await guard.require(ofProcess(pid));
  };
  const formats = async (options: CallOptions): Promise<ClipboardFormats> => {
    await requireOwner(options);
    const found = await clipboard.formats(options);
    const hint = found.names.find((name) => SECRET_HINTS.test(name));
    if (hint === undefined) return found;
    const rule = `built-in ${JSON.stringify(hint)}`;
    const why = 'A password manager marked it as a password.';
    throw applicationDenied('the content of the clipboard', { decision: 'deny', rule, why }, {});
  };
  return overlay<ClipboardPort, 'isOwned' | 'ownerPid' | 'write' | 'clear' | 'watch'>(
    clipboard,
    ['isOwned', 'ownerPid', 'write', 'clear', 'watch'],
    {
      formats,
      read: async (kind, options) => {
        await formats(options);
        const content = await clipboard.read(kind, options);
        // Another program may have taken it meanwhile.
        await formats(options);
        return content;
      },
    },
  );
}
