import type { Step, DemoReport } from './step.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #5d6878; --line: #dfe4ea; --card: #fff; --ground: #f5f7fa; --good: #12805c; --bad: #c0362c; --code: #eef1f5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #97a3b4; --line: #2c3542; --card: #181e27; --ground: #10151c; --good: #4cc38a; --bad: #ff7b72; --code: #222a35; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 48px 20px 96px; }
h1 { font-size: 30px; margin: 0 0 6px; }
.lead { color: var(--soft); margin: 0 0 32px; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 20px 24px; margin: 0 0 18px; }
h2 { font-size: 18px; margin: 0; display: flex; gap: 12px; align-items: baseline; flex-wrap: wrap; }
.number { color: var(--soft); font-variant-numeric: tabular-nums; min-width: 1.5em; }
.effect { font-size: 13px; font-weight: 600; color: var(--good); border: 1px solid currentColor; border-radius: 99px; padding: 1px 10px; }
.effect.failed { color: var(--bad); }
.effect.observed, .effect.unverified { color: var(--soft); }
.time { color: var(--soft); font-size: 13px; font-weight: 400; margin-left: auto; }
pre { background: var(--code); border-radius: 8px; padding: 10px 14px; overflow: auto; font: 13px/1.5 ui-monospace, monospace; margin: 12px 0; }
pre.outline { max-height: 340px; }
ul { margin: 0 0 4px; padding-left: 20px; color: var(--soft); font-size: 14px; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); gap: 14px; margin-top: 14px; }
figure { margin: 0; }
img { max-width: 100%; border: 1px solid var(--line); border-radius: 8px; display: block; }
figcaption { color: var(--soft); font-size: 13px; margin-top: 4px; }
`;

/** `demo-output/index.html`: the same report as a page, with the pictures beside it. */
export function page({ ok, version, toolkits, steps, totalMs }: DemoReport): string {
  const verdict = ok ? 'Everything worked' : 'It did not work; the last step shows why';
  const lead = `${verdict}. Deskterity ${version} · ${toolkits.join(' · ')} · ${steps.length} steps in ${(totalMs / 1000).toFixed(1)} s`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Deskterity demo</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>What the demo did</h1>
<p class="lead">${escape(lead)}</p>
${steps.map((step, index) => article(step, index + 1)).join('\n')}
</main>
</body>
</html>
`;
}

function article(step: Step, number: number): string {
  const evidence = step.evidence.map((line) => `<li>${escape(line)}</li>`).join('');
  const outline = step.outline === undefined ? '' : `<pre class="outline">${escape(step.outline)}</pre>`;
  const pictures = [
    picture(step.screenshot, step.what, 'as it looks'),
    picture(step.annotated, `${step.what}, with references`, 'with the references of its elements'),
  ].join('');
  return `<article>
<h2><span class="number">${number}</span>${escape(step.what)} <span class="effect ${escape(step.effect)}">${escape(step.effect)}</span><span class="time">${step.milliseconds} ms</span></h2>
<pre>$ ${escape(step.command)}</pre>
<ul>${evidence}</ul>${outline}
${pictures === '' ? '' : `<div class="pictures">${pictures}</div>`}
</article>`;
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
