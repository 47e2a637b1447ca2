import type { View } from '../look/compare.ts';
import type { Seen } from '../look/tree.ts';
import type { Side } from '../side/side.ts';
import type { Act } from './act.ts';

/** What the acting program answered. `failed` stands for every error and refusal. */
export interface Answer {
  readonly effect: 'confirmed' | 'unverified' | 'failed';
  /** How it was done, as far as the program says. */
  readonly route: string;
  /** The answer in its own words: evidence, or the error's code and message. */
  readonly words: string;
  /** It says itself that the application may not have taken the text yet. */
  readonly isPending?: boolean;
  /** It says itself that something else than wanted came of it. */
  readonly isPartial?: boolean;
  /** What the side showed once the window was in front that the keys go to: only what changed since then is the effect of the keys. */
  readonly since?: View;
  /** Where a mouse clicked last, if that was not at the target itself. */
  readonly restedAt?: { readonly x: number; readonly y: number };
}

/** Whoever does not list a widget cannot work it: a gap, if a mouse does something with it, and nothing to be judged if not. */
export const UNLISTED = 'not listed by desk';

/** An act that needs only be carried out, or the reason why it cannot even be tried. */
export type Prepared = { readonly act: () => Promise<Answer> } | { readonly excluded: string };

/** A way to act on one side. */
export interface Actor {
  readonly name: string;
  /** Says `confirmed` only of what it saw change; others say it of all that was accepted. */
  readonly seesChanges?: boolean;
  /** Files and folders of this machine that it needs on its side, by name. */
  readonly tools: Readonly<Record<string, string>>;
  /** Does everything that must not be mistaken for an effect of the act. */
  prepare(side: Side, seen: Seen, act: Act): Promise<Prepared>;
}
