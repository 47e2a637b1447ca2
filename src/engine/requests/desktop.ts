import type { Check, Expected } from '../../model/effects/expectation.ts';
import type { WindowSummary } from '../../model/refs/target.ts';
import type { Connection } from '../../model/sessions/connection.ts';
import type { OutputNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { AppRequest, RefRequest, ScopedRequest } from './reading.ts';

export interface ListWindowsRequest extends AppRequest {
  readonly focusedOnly: boolean;
  readonly includeMinimized: boolean;
}

export interface LaunchAppRequest extends CallOptions {
  readonly app: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The caller's environment. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly wait: boolean;
}

export interface LaunchResult {
  readonly app: string;
  readonly pid: number;
  readonly command: readonly string[];
  readonly adjustments: readonly string[];
  readonly window: WindowSummary | undefined;
  /** The tree of the window, if it has one. */
  readonly opened?: readonly OutputNode[] | undefined;
  /** Why a part of the window could not be read. */
  readonly incompleteReasons?: readonly string[] | undefined;
  readonly cursor?: string | undefined;
  /** If the window belongs to an instance that was running before: what was seen of it, as phrases. */
  readonly alreadyRunning?: readonly string[] | undefined;
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
  /** If it is still running: the dialogs in which it asks something. */
  readonly opened?: readonly OutputNode[];
}

export interface ConnectRequest extends CallOptions {
  /** Name or pid. */
  readonly app: string;
  /** By default the name of the application as one word. */
  readonly alias?: string | undefined;
}

export interface Connected extends Connection {
  readonly windows: readonly WindowSummary[];
}

export interface DisconnectRequest {
  /** All if absent. */
  readonly alias?: string | undefined;
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

export interface WaitForCountRequest extends CallOptions {
  readonly locator: string;
  /** How many elements it is to match. */
  readonly count: number;
}

export interface WaitForNotificationRequest extends CallOptions {
  /** In its texts or the name of its application, ignoring case; any notification if absent. */
  readonly text?: string | undefined;
}

export interface IdleRequest extends CallOptions {
  /** Alias, name or pid. */
  readonly app: string;
  /** How long nothing may change. */
  readonly quietMs: number;
}

export interface IdleResult {
  readonly app: string;
  readonly pid: number;
  readonly quietMs: number;
  /** What was seen, as phrases. */
  readonly evidence: readonly string[];
}

export interface ExpectRequest extends RefRequest {
  readonly expected: Expected;
}

/** An element by its ref or locator, and what is expected of it. */
export type ExpectedElement = Pick<ExpectRequest, 'ref' | 'expected'>;

/** All conditions are to hold at one moment. */
export interface ExpectAllRequest extends CallOptions {
  readonly conditions: readonly ExpectedElement[];
}

/** The result of an expectation that was met. */
export interface MetExpectation {
  /** Absent if a locator matches nothing. */
  readonly ref: string | undefined;
  readonly checks: readonly Check[];
}

/** Expectations that were met at one moment. */
export interface MetTogether {
  readonly met: readonly MetExpectation[];
  /** What could not be made sure of. */
  readonly notes: readonly string[];
}

export interface WatchRequest extends CallOptions {
  /** Name or pid of the application to watch; all if absent. */
  readonly app?: string | undefined;
  /** Only windows and applications that open, close or become active; ignored if `app` is given. */
  readonly windowsOnly?: boolean | undefined;
  /** Only changes of the clipboard; nothing else is watched then. */
  readonly clipboard?: boolean | undefined;
  /** Only what the journal notes; nothing else is watched then. */
  readonly journal?: boolean | undefined;
  /** The application need not be running yet. */
  readonly awaitsApp?: boolean | undefined;
}

export interface DoctorRequest extends CallOptions {
  /** Called with the name of each trial before it runs. */
  readonly onTrial?: ((name: string) => void) | undefined;
}
