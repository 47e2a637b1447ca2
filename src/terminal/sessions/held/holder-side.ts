/** The terminal code of a holder, loaded with the first terminal. */
export { HeldTerminals } from './held-terminals.ts';
export { ServedTerminals } from './serve-terminals.ts';
