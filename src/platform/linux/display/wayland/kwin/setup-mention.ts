import { mentionCommand } from '../../../../../model/text/mention.ts';

/** The command that lets KWin admit us. */
export function setupKde(): string {
  return mentionCommand('setup kde');
}
