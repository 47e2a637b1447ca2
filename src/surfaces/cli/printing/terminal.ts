/** What only a person needs; loaded on demand, because every call reads the rest. */
export { humanFailure } from './human-failure.ts';
export { page } from './pager.ts';
export { ProgressLine } from './progress-line.ts';
export { announcer } from './sign-in-address.ts';
export { askAtTerminal } from '../asking/ask-at-terminal.ts';
