/** Readable on a phone, in light and in dark. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #5d6878; --line: #dfe4ea; --card: #fff; --ground: #f5f7fa; --good: #12805c; --bad: #c0362c; --doubt: #8a6100; --code: #eef1f5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #97a3b4; --line: #2c3542; --card: #181e27; --ground: #10151c; --good: #4cc38a; --bad: #ff7b72; --doubt: #e3b341; --code: #222a35; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 1000px; margin: 0 auto; padding: 40px 16px 80px; }
h1 { font-size: 28px; margin: 0 0 6px; }
.lead { color: var(--soft); margin: 0 0 20px; }
.hint { color: var(--soft); font-size: 14px; margin: 20px 0 10px; }
figure { margin: 0; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 8px; display: block; }
.story img { width: 100%; max-width: 900px; }
details { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin: 0 0 8px; }
details > :not(summary) { margin-left: 16px; margin-right: 16px; }
summary { cursor: pointer; padding: 10px 14px; display: flex; gap: 10px; align-items: baseline; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: '▸'; color: var(--soft); }
details[open] > summary::before { content: '▾'; }
summary:focus-visible { outline: 2px solid var(--good); border-radius: 10px; }
.number { color: var(--soft); font-variant-numeric: tabular-nums; min-width: 1.4em; text-align: right; }
.what { font-weight: 600; }
.effect { font-size: 13px; font-weight: 600; color: var(--good); white-space: nowrap; }
.effect.failed { color: var(--bad); }
.effect.unverified { color: var(--doubt); }
.effect.observed { color: var(--soft); font-weight: 400; }
.time { color: var(--soft); font-size: 13px; margin-left: auto; white-space: nowrap; }
pre { background: var(--code); border-radius: 8px; padding: 10px 14px; overflow: auto; font: 13px/1.5 ui-monospace, monospace; margin: 4px 0 12px; overflow-wrap: normal; }
pre.outline { max-height: 340px; }
ul { margin: 0 0 12px; padding-left: 20px; color: var(--soft); font-size: 14px; }
.pictures { display: flex; flex-wrap: wrap; gap: 14px; margin-top: 4px; margin-bottom: 16px; align-items: flex-start; }
.pictures figure { max-width: 100%; }
figcaption { color: var(--soft); font-size: 13px; margin-top: 4px; }
@media (max-width: 520px) { summary { flex-wrap: wrap; gap: 4px 8px; } .what { flex: 1 1 70%; } main { padding-top: 20px; } }
`;
