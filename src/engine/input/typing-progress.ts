import type { DeskterityError } from '../../model/effects/errors.ts';

/** How much of a text has been typed, for an error that ends the typing. */
export class TypingProgress {
  /** Characters that the display has accepted. */
  typed = 0;
  private arrived = 0;
  private readonly total: number;

  constructor(text: string) {
    this.total = Array.from(text).length;
  }

  /** Before each batch, the ones before it are known to have arrived. */
  readonly onTyped = (count: number): void => {
    this.arrived = this.typed;
    this.typed = count;
  };

  /** The error, with how much had been typed, and how much of that may have gone elsewhere. */
  toldBy(error: DeskterityError, isTouched: boolean): DeskterityError {
    const { typed, arrived, total } = this;
    const astray =
      error.code === 'NOT_ACTIONABLE' && typed > arrived
        ? ` The last ${typed - arrived} of them may have gone to what took the focus.`
        : '';
    return error.with({
      message: `${error.message} ${typed} of ${total} characters had been typed.${astray}`,
      retryable: error.retryable && typed === 0,
      delivered: isTouched || typed > 0,
    });
  }
}
