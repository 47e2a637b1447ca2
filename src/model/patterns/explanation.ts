import { z } from 'zod';
import { mentionCommand } from '../text/mention.ts';
import { clip } from '../text/untrusted-text.ts';
import { isInteractive, ROLES } from '../tree/role.ts';
import type { OutputNode } from '../tree/node.ts';
import { appStateOf } from './app-state.ts';
import { detectPatterns } from './detect-patterns.ts';
import { APP_STATES, PARTS, PATTERNS } from './pattern.ts';
import { stepsFor, type Step } from './suggest.ts';

const LONGEST_NAME = 80;
const MOST_EVIDENCE = 6;

const COMMANDS = ['click', 'select', 'set-value', 'wait'] as const satisfies readonly Step['command'][];

const FoundPattern = z
  .object({
    pattern: z.enum(PATTERNS),
    evidence: z
      .array(
        z.object({
          part: z.enum(PARTS).describe('What the element is to the pattern.'),
          role: z.enum(ROLES),
          name: z.string().optional(),
          ref: z.string().optional(),
        }),
      )
      .describe('The elements that show it.'),
  })
  .meta({ id: 'FoundPattern' });

const Suggestion = z
  .object({
    action: z.string(),
    command: z.enum(COMMANDS),
    input: z
      .record(z.string(), z.string())
      .describe('What to give the command; capitals such as FILE are for you to replace.'),
  })
  .meta({ id: 'Suggestion' });

/** What a screen is, as it is reported. */
export const Explanation = z
  .object({
    state: z.enum(APP_STATES),
    patterns: z.array(FoundPattern).describe('Known kinds of screen; what is in doubt is not named.'),
    suggestions: z.array(Suggestion).describe('Possible next steps; none is done.'),
  })
  .meta({ id: 'Explanation' });
export type Explanation = z.output<typeof Explanation>;

/**
 * Explains the distilled tree of a window.
 * @param refFor the reference of an element
 */
export function explain(
  { root, title, isBusy }: { readonly root: OutputNode; readonly title: string; readonly isBusy: boolean },
  refFor: (node: OutputNode) => string | undefined,
): Explanation {
  const findings = detectPatterns(root, title);
  return {
    state: appStateOf(root, findings, isBusy),
    patterns: findings.map(({ pattern, evidence }) => ({
      pattern,
      evidence: evidence.slice(0, MOST_EVIDENCE).map(({ part, node }) => {
        const ref = isInteractive(node.role) ? refFor(node) : undefined;
        const { role, name } = node;
        return {
          part,
          role,
          ...(name === undefined ? {} : { name: clip(name, LONGEST_NAME) }),
          ...(ref === undefined ? {} : { ref }),
        };
      }),
    })),
    suggestions: stepsFor(findings).flatMap((step) => suggestionOf(step, refFor(step.node))),
  };
}

function suggestionOf({ action, command, value }: Step, ref: string | undefined): Explanation['suggestions'] {
  if (ref === undefined) return [];
  const valued: Record<string, string> = value === undefined ? { ref } : { ref, value };
  const input = command === 'wait' ? { gone: ref } : valued;
  return [{ action, command, input }];
}

/** The lines of an outline. */
export function outlineExplanation({ state, patterns, suggestions }: Explanation): readonly string[] {
  const named = patterns.map(({ pattern, evidence }) => {
    const refs = evidence.flatMap(({ part, ref }) => (ref === undefined ? [] : [`${part} ${ref}`]));
    return refs.length === 0 ? pattern : `${pattern} (${refs.join(', ')})`;
  });
  return [
    `state ${state}`,
    ...(named.length === 0 ? [] : [`patterns: ${named.join('; ')}`]),
    ...suggestions.map((suggestion) => `${suggestion.action} ${spelled(suggestion)}`),
  ];
}

function spelled({ command, input }: Explanation['suggestions'][number]): string {
  const { ref = '', value = '', gone = '' } = input;
  if (command === 'click') return mentionCommand('click', { ref });
  if (command === 'select') return mentionCommand('select', { ref, value });
  if (command === 'set-value') return mentionCommand('set-value', { ref, value });
  return mentionCommand('wait', { gone });
}
