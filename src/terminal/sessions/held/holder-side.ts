/** Terminals for a holder, in one piece that is loaded when there is one. */
export { HeldTerminals } from './held-terminals.ts';
export { ServedTerminals } from './serve-terminals.ts';
