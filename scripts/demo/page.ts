import { STYLE } from './page-style.ts';
import type { Step, DemoReport } from './step.ts';

/** `demo-output/index.html`: the story as an animation, then each step folded, with its pictures beside the page. */
export function page({ ok, version, toolkits, steps, totalMs, story, still }: DemoReport): string {
  const verdict = ok ? 'Everything worked' : 'It did not work; the last step shows why';
  const lead = `${verdict}. Deskterity ${version} · ${toolkits.join(' · ')} · ${steps.length} steps in ${(totalMs / 1000).toFixed(1)} s`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Deskterity demo</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>What the demo did</h1>
<p class="lead">${escape(lead)}</p>
${animation(story, still)}
<p class="hint">Each step can be opened: the command, what was seen, and the pictures. What was pressed is lit.</p>
${steps.map((step, index) => article(step, index + 1)).join('\n')}
</main>
</body>
</html>
`;
}

/** Readers who want nothing to move see the end. */
function animation(story: string | undefined, still: string | undefined): string {
  if (story === undefined || still === undefined) return '';
  return `<figure class="story"><picture><source media="(prefers-reduced-motion: reduce)" srcset="${escape(still)}"><img src="${escape(story)}" alt="The whole story: 7 × 6 is calculated, and the result is written down and saved"></picture></figure>`;
}

function article(step: Step, number: number): string {
  const { what, command, effect, before, after, annotated, milliseconds } = step;
  const evidence = step.evidence.map((line) => `<li>${escape(line)}</li>`).join('');
  const outline = step.outline === undefined ? '' : `<pre class="outline">${escape(step.outline)}</pre>`;
  const pictures = [
    picture(before, `${what}: before`, 'before, with what is acted on lit'),
    picture(after, what, before === undefined ? 'as it looks then' : 'after'),
    picture(annotated, `${what}, with references`, 'with the references of its elements'),
  ].join('');
  return `<details${effect === 'failed' ? ' open' : ''}>
<summary><span class="number">${number}</span><span class="what">${escape(what)}</span> <span class="effect ${escape(effect)}">${escape(effect)}</span><span class="time">${milliseconds} ms</span></summary>
<pre>$ ${escape(command)}</pre>
<ul>${evidence}</ul>${outline}
${pictures === '' ? '' : `<div class="pictures">${pictures}</div>`}
</details>`;
}

function picture(file: string | undefined, alternative: string, caption: string): string {
  if (file === undefined) return '';
  return `<figure><a href="${escape(file)}"><img src="${escape(file)}" alt="${escape(alternative)}" loading="lazy"></a><figcaption>${escape(caption)}</figcaption></figure>`;
}

/** Text from applications must not become markup. */
function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
