import { z } from 'zod';
import { DeskterityError } from '../model/effects/errors.ts';
import { SECURITY_MODES, type Policy } from '../model/policy/verdict.ts';
import type { PolicyFileText } from '../ports/policy/policy-file.ts';
import { byPerson, mentionCommand } from '../model/text/mention.ts';
import { quote, reveal } from '../model/text/untrusted-text.ts';
import { LIFTABLE } from './default-denied.ts';
import { policyOf, type RuleSource } from './rules.ts';

const MOST_PATTERNS = 1000;
const Pattern = z.string().min(1).max(256);
const Patterns = z.array(Pattern).max(MOST_PATTERNS).default([]);
const Lists = z.strictObject({ allowed: Patterns, denied: Patterns });
const NO_LISTS = { allowed: [], denied: [] };

const NOT_LIFTABLE = 'must be an absolute path, or a pattern or group of the built-in lists';

function isLiftable(text: string): boolean {
  return text.startsWith('/') || LIFTABLE.has(text);
}

const PolicyFile = z.strictObject({
  mode: z.enum(SECURITY_MODES).optional(),
  applications: z
    .strictObject({
      allowed: Patterns,
      denied: Patterns,
      except: z.array(Pattern.refine(isLiftable, NOT_LIFTABLE)).max(MOST_PATTERNS).default([]),
    })
    .default({ ...NO_LISTS, except: [] }),
  commands: Lists.default(NO_LISTS),
  tools: Lists.default(NO_LISTS),
});

/** Variables with which a client can tighten the policy. */
const MODE_VARIABLE = 'DESKTERITY_SECURITY_MODE';
const ALLOWED_VARIABLE = 'DESKTERITY_ALLOWED_APPS';
const DENIED_VARIABLE = 'DESKTERITY_DENIED_APPS';

/** The policy of a file, if there is one, and of a client's variables. @throws DeskterityError CONFIG_INVALID */
export function readPolicy(
  path: string,
  file: PolicyFileText | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Policy {
  const sources = file === undefined ? [] : [ofFile(path, file)];
  const client = ofVariables(environment);
  return policyOf(client === undefined ? sources : [...sources, client]);
}

/** What counts while the policy cannot be read: no application may be read. */
export const CLOSED: Policy = policyOf([
  {
    source: 'the unreadable policy.toml',
    mode: 'sandboxed',
    applications: { allowed: ['/'], denied: [], except: [] },
    commands: NO_LISTS,
    tools: NO_LISTS,
  },
]);

function ofFile(path: string, file: PolicyFileText): RuleSource {
  if (file.problem !== undefined) throw invalid(path, file.problem, file.line);
  const read = PolicyFile.safeParse(file.table);
  if (read.success) return { source: reveal(path), ...read.data };
  const [issue] = read.error.issues;
  const place = issue?.path.map(String).join('.') ?? '';
  throw invalid(path, `${place === '' ? 'the file' : quote(place)}: ${issue?.message ?? 'is invalid'}`);
}

function ofVariables(environment: Readonly<Record<string, string | undefined>>): RuleSource | undefined {
  const { [MODE_VARIABLE]: mode, [ALLOWED_VARIABLE]: allowed, [DENIED_VARIABLE]: denied } = environment;
  if (!mode && !allowed && !denied) return undefined;
  const known = z
    .enum(SECURITY_MODES)
    .optional()
    .safeParse(mode || undefined);
  if (!known.success)
    throw new DeskterityError(
      'CONFIG_INVALID',
      `${MODE_VARIABLE} is ${quote(mode ?? '')}, which is no mode.`,
      {
        suggestion: `Set it to one of ${SECURITY_MODES.join(', ')}.`,
      },
    );
  return {
    source: 'DESKTERITY_ variables',
    mode: known.data,
    applications: { allowed: namesIn(allowed), denied: namesIn(denied), except: [] },
    commands: NO_LISTS,
    tools: NO_LISTS,
  };
}

function namesIn(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function invalid(path: string, problem: string, line?: number): DeskterityError {
  const place = line === undefined ? reveal(path) : `${reveal(path)}, line ${line}`;
  return new DeskterityError(
    'CONFIG_INVALID',
    `The policy in ${place} cannot be used: ${problem}. Until it can, commands are refused.`,
    {
      suggestion: `${byPerson('Correct or remove that file')}; then run ${mentionCommand('policy show')}.`,
    },
  );
}
