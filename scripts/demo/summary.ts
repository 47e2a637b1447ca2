import type { Step, DemoReport } from './step.ts';

/** `demo-output/summary.md`: every step with its command, its evidence and its pictures. */
export function summary({ ok, version, toolkits, steps, totalMs, story }: DemoReport): string {
  const verdict = ok ? 'Everything worked.' : 'It did **not** work; the last step shows why.';
  return [
    '# What the demo did',
    '',
    `${verdict} Deskterity ${version}, ${toolkits.join(' and ') || 'no toolkit reached'}, ${steps.length} steps in ${(totalMs / 1000).toFixed(1)} s.`,
    '',
    ...(story === undefined ? [] : [`![The whole story](${story})`, '']),
    '| | step | effect | ms |',
    '|---|---|---|---|',
    ...steps.map(
      (step, index) => `| ${index + 1} | ${cell(step.what)} | ${step.effect} | ${step.milliseconds} |`,
    ),
    '',
    ...steps.flatMap((step, index) => section(step, index + 1)),
  ].join('\n');
}

function section(step: Step, number: number): string[] {
  const lines = [`## ${number}. ${step.what}`, '', '```sh', step.command, '```', ''];
  for (const line of step.evidence) lines.push(`- ${step.effect}: ${line}`);
  if (step.outline !== undefined) lines.push('', '```text', step.outline, '```');
  lines.push('');
  if (step.before !== undefined) lines.push(`![${step.what}: before](${step.before})`, '');
  if (step.after !== undefined) lines.push(`![${step.what}](${step.after})`, '');
  if (step.annotated !== undefined) lines.push(`![${step.what}, with references](${step.annotated})`, '');
  return lines;
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('*', String.raw`\*`);
}
