import { parseArgs } from 'node:util';
import { SetupError } from './progress.mjs';

/** Whether these arguments ask for help; what follows "--" belongs to somebody else. */
export function asksForHelp(args) {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
}

/** Prints the usage and ends this process if that is asked for. */
export function helpIfAsked(usage, args = process.argv.slice(2)) {
  if (!asksForHelp(args)) return;
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}

/**
 * The options and arguments of a script, as by `parseArgs`; prints the usage for --help.
 * @throws SetupError with the usage, for what is unknown
 */
export function readArguments(usage, config, args = process.argv.slice(2)) {
  helpIfAsked(usage, args);
  try {
    return parseArgs({ ...config, args });
  } catch (error) {
    if (!String(error?.code).startsWith('ERR_PARSE_ARGS')) throw error;
    // Node adds advice about "--" that fits no script.
    const [what] = error.message.split('. ');
    throw new SetupError(`${what}.\n${usage}`, 5);
  }
}
