import type { Groups } from './carry-out.ts';
import { guards } from './guards.ts';
import { injection } from './injection.ts';
import { passwords } from './passwords.ts';
import { protocol } from './protocol.ts';
import { reach } from './reach.ts';
import { sandbox } from './sandbox.ts';
import { secrets } from './secrets.ts';

/** All attacks, in the order in which they are carried out. */
export const GROUPS: Groups = {
  injection,
  passwords,
  secrets,
  protocol,
  sandbox,
  guards,
  reach,
};
