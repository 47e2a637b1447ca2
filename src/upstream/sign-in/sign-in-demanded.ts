/** The server refused a request, and somebody has to sign in before it is of use to repeat it. */
export class SignInDemanded extends Error {
  constructor() {
    super('The server demands that somebody signs in.');
  }
}

/** Whether a request failed for that reason, and not only another one at the same time. */
export function isSignInDemand(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof SignInDemanded) return true;
  return false;
}
