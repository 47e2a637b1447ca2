import type { Check, Expected } from '../../model/effects/expectation.ts';
import type { WindowSummary } from '../../model/refs/target.ts';
import type { OutputNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/desktop.ts';
import type { AppRequest, RefRequest, ScopedRequest } from './reading.ts';

export interface ListWindowsRequest extends AppRequest {
  readonly focusedOnly: boolean;
  readonly includeMinimized: boolean;
}

export interface LaunchAppRequest extends CallOptions {
  readonly app: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables of whoever asked. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly wait: boolean;
}

export interface LaunchResult {
  readonly app: string;
  readonly pid: number;
  readonly command: readonly string[];
  readonly adjustments: readonly string[];
  readonly window: WindowSummary | undefined;
}

export interface CloseAppRequest extends CallOptions {
  readonly app: string;
  readonly force: boolean;
}

export interface CloseResult {
  readonly app: string;
  readonly pid: number;
  readonly via: string;
  readonly closed: boolean;
}

/** What can be waited for of an element; a value is compared as `set-value` compares. */
export type ElementCondition = 'visible' | 'focused' | { readonly value: string };

export interface WaitForElementRequest extends CallOptions {
  readonly element: string;
  readonly until?: ElementCondition | undefined;
}

export interface WaitForTextRequest extends ScopedRequest {
  readonly text: string;
}

export interface TextFound {
  readonly element: OutputNode;
  readonly window: WindowSummary;
}

export interface WaitForWindowRequest extends AppRequest {
  readonly title: string;
}

export interface ExpectRequest extends RefRequest {
  readonly expected: Expected;
}

/** What was as expected. */
export interface MetExpectation {
  /** Absent where a locator matches nothing. */
  readonly ref: string | undefined;
  readonly checks: readonly Check[];
}

export interface WatchRequest extends CallOptions {
  /** Name or pid of the application whose events are wanted; those of all where absent. */
  readonly app?: string | undefined;
  /** Only what is about windows and applications that come, go or become active; of no effect beside `app`. */
  readonly windowsOnly?: boolean | undefined;
  /** Only that something was put on the clipboard or taken off it; nothing else is watched then. */
  readonly clipboard?: boolean | undefined;
  /** The application need not be running yet. */
  readonly awaitsApp?: boolean | undefined;
}

export interface DoctorRequest extends CallOptions {
  /** Told what is tried next. */
  readonly onTrial?: ((name: string) => void) | undefined;
}
