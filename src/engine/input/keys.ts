import type { HeldReceipt, Receipt } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { showKey, showKeyCombination } from '../../model/text/key-combination.ts';
import type { CallOptions } from '../../ports/desktop.ts';
import type { InputLease } from '../../ports/input.ts';
import type { Sent } from '../../ports/screen.ts';
import type { Act } from '../acting/attempt.ts';
import { judgeFreely } from '../evidence/judge-click.ts';
import { forActing } from '../refs/locate.ts';
import { frontmost } from '../refs/scope.ts';
import { windowTarget } from '../refs/target.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import type { HoldKeyRequest, KeysRequest, PressRequest } from '../requests/acting.ts';
import { bringToFront, hasKeys, windowByKey } from './front.ts';
import { withInputLease } from './input-lease.ts';
import type { InputParts } from './input-parts.ts';
import { giveKeyboard, requireKeyboard } from './keyboard-focus.ts';
import { REACTION_MS } from './pointer-acts.ts';

/** Keys for an element, a window, or whatever has the keyboard. */
export class Keys {
  private readonly parts: InputParts;

  constructor(parts: InputParts) {
    this.parts = parts;
  }

  press(request: PressRequest): Promise<Receipt> {
    const { keys } = request;
    return this.send(request, {
      via: `keyboard:${showKeyCombination(keys)}`,
      sent: { keys },
      work: (lease, options) => lease.press(keys, options()),
    });
  }

  /** Holds a key down, or lets it go, until the session ends at the latest. */
  async hold(request: HoldKeyRequest): Promise<HeldReceipt> {
    const { key, isDown } = request;
    let held: readonly string[] = [];
    const receipt = await this.send(request, {
      via: `keyboard:${showKey(key)} ${isDown ? 'down' : 'up'}`,
      keep: true,
      work: async (lease, options) => {
        await (isDown ? lease.keyDown(key, options()) : lease.keyUp(key, options()));
        ({ held } = lease);
      },
    });
    return { ...receipt, held: [...held] };
  }

  private send(
    request: KeysRequest,
    {
      via,
      sent,
      keep = false,
      work,
    }: {
      readonly via: string;
      readonly sent?: Sent;
      readonly keep?: boolean;
      readonly work: (lease: InputLease, options: () => CallOptions) => Promise<void>;
    },
  ): Promise<Receipt> {
    const { parts } = this;
    let target: ResolvedTarget | undefined;
    const act: Act = {
      kind: 'press',
      reactionMs: REACTION_MS,
      judge: judgeFreely,
      ...(sent === undefined ? {} : { sent }),
      prepare: async (resolved, options) => {
        target = resolved;
        if (request.ref !== undefined) await giveKeyboard(parts, resolved, options);
        else if (request.app !== undefined || request.window !== undefined)
          await bringToFront(parts, resolved.record.window, options);
      },
      run: async (_node, options) => {
        const resolved = target;
        if (resolved === undefined) throw new Error('the act was not prepared');
        const pressedAtMs = await withInputLease(parts, { ...options(), keep }, async (lease) => {
          await this.requireKeys(request, resolved, options());
          await work(lease, options);
          return lease.pressedAtMs;
        });
        return { delivered: true, via, pressedAtMs };
      },
    };
    return parts.actor.perform(request, (options) => this.resolve(request, options), act);
  }

  private async resolve(request: KeysRequest, options: CallOptions): Promise<ResolvedTarget> {
    const { desktop, resolver, scope } = this.parts;
    if (request.ref !== undefined)
      return resolver.resolve(request.ref, { ...options, ...forActing(options.deadlineMs, false) });
    if (request.app !== undefined || request.window !== undefined)
      return windowTarget(this.parts, await scope.window(request, options), options);
    const windows = await desktop.listWindows(options);
    const window = windows.find(hasKeys);
    if (window) return windowTarget(this.parts, window, options);
    const front = frontmost(windows);
    throw new DeskterityError('NOT_ACTIONABLE', 'No window has the keyboard, so keys would go nowhere.', {
      suggestion:
        front === undefined
          ? 'Start an application with "desk launch NAME --wait".'
          : 'Name the window that shall get them: --app NAME or --window REF.',
      delivered: false,
      retryable: true,
    });
  }

  /** The last look before keys are sent. @throws DeskterityError NOT_ACTIONABLE when the keyboard went elsewhere */
  private async requireKeys(
    request: KeysRequest,
    target: ResolvedTarget,
    options: CallOptions,
  ): Promise<void> {
    if (request.ref !== undefined) {
      await requireKeyboard(this.parts, target, options);
      return;
    }
    if (hasKeys(await windowByKey(this.parts.desktop, target.record.window, options))) return;
    throw new DeskterityError('NOT_ACTIONABLE', 'The keyboard went to another window at the last moment.', {
      suggestion: 'Look with "desk list-windows", and name the window that shall get the keys: --app NAME.',
      delivered: false,
      retryable: true,
    });
  }
}
