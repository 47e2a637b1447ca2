import type { Groups } from './carry-out.ts';
import { audit } from './audit.ts';
import { consent } from './consent.ts';
import { consentWindow } from './consent-window.ts';
import { injection } from './injection.ts';
import { limits } from './limits.ts';
import { lookalike } from './lookalike.ts';
import { loosen } from './loosen.ts';
import { options } from './options.ts';
import { passwords } from './passwords.ts';
import { protocol } from './protocol.ts';
import { acting } from './reach-acting.ts';
import { elsewhere } from './reach-elsewhere.ts';
import { overPictures } from './reach-over-mcp.ts';
import { reading } from './reach-reading.ts';
import { starting } from './reach-starting.ts';
import { sandbox } from './sandbox.ts';
import { sandboxed } from './sandboxed.ts';
import { secrets } from './secrets.ts';
import { selfConsent } from './self-consent.ts';
import { swap } from './swap.ts';
import { approvedByProject, toolConsent } from './tool-consent.ts';

/** All attacks. Those of different lanes are carried out at the same time, each lane on a desktop of its own. */
export const LANES: readonly Groups[] = [
  { injection, passwords, secrets, protocol, sandbox, consent: [...consent, ...toolConsent], audit, limits },
  {
    reach: [...reading, ...acting, ...overPictures, ...elsewhere, ...starting, ...options],
    loosen: [...loosen, approvedByProject],
    sandboxed,
    'self-consent': selfConsent,
  },
  { lookalike, swap, 'consent-window': consentWindow },
];
