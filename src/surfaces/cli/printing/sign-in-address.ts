import type { OutputStream } from './output.ts';

const ADDRESS = /https?:\/\/\S+$/;

interface AddressStreams {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

/**
 * Prints the address of a page to sign in at once, in full and on a line of its own, also for programs: nobody can sign in without it. On standard
 * output if it was asked for, otherwise on standard error. @returns whether the step had one
 */
function printAddress(step: string, isAskedFor: boolean, { stdout, stderr }: AddressStreams): boolean {
  const address = ADDRESS.exec(step)?.[0];
  if (address === undefined) return false;
  const words = step.slice(0, -address.length).trim();
  // A line that changes may stand there.
  const clear = stderr.isTTY === true ? '\r\u001B[K' : '';
  stderr.write(`${clear}${words}\n${isAskedFor ? '' : `${address}\n`}`, () => undefined);
  if (isAskedFor) stdout.write(`${address}\n`, () => undefined);
  return true;
}

/** {@link printAddress} for each step; meanwhile the call waits for a person. */
export function announcer(
  streams: AddressStreams,
  input: Readonly<Record<string, unknown>>,
  say: (message: string) => void,
): (message: string) => void {
  return (message) => {
    const isPrinted = printAddress(message, input['address_only'] === true, streams);
    say(isPrinted ? 'waiting for you to sign in' : message);
  };
}
