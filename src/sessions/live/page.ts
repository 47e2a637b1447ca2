import { createHash } from 'node:crypto';
import { SCRIPT } from './page-script.ts';

const STYLE = `
  :root { color-scheme: light dark; --back: #f3f3f5; --card: #fff; --text: #1c1c22; --soft: #5c5c68; --line: #d5d5dc;
    --running: #2563eb; --good: #15803d; --unsure: #b45309; --bad: #c8102e; --agent: #2563eb; --you: #15803d; --person: #b45309; --nobody: #c8102e; }
  @media (prefers-color-scheme: dark) { :root { --back: #17171b; --card: #222228; --text: #ececf1; --soft: #a3a3b0; --line: #3a3a44;
    --running: #7aa7ff; --good: #5fd38a; --unsure: #f2b35c; --bad: #ff7b88; --agent: #7aa7ff; --you: #5fd38a; --person: #f2b35c; --nobody: #ff7b88; } }
  * { box-sizing: border-box; }
  [hidden] { display: none !important; }
  html, body { height: 100%; }
  body { margin: 0; display: grid; grid-template: auto 1fr / 1fr 300px; background: var(--back); color: var(--text); font: 15px/1.4 system-ui, sans-serif; }
  header { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: center; min-height: 48px; padding: 6px 14px; background: var(--card); border-bottom: 1px solid var(--line); }
  header strong { font-size: 16px; }
  #who { font-weight: 600; color: var(--agent); }
  #who::before { content: ''; display: inline-block; width: 10px; height: 10px; margin-right: 7px; border-radius: 50%; background: currentColor; }
  [data-who=you] #who { color: var(--you); } [data-who=person] #who { color: var(--person); } [data-who=nobody] #who { color: var(--nobody); }
  #note { color: var(--soft); }
  button { min-height: 36px; padding: 0 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--back); color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
  button:focus-visible { outline: 3px solid var(--running); outline-offset: 2px; }
  #room { min-width: 0; min-height: 0; margin: 8px; padding: 5px; display: grid; place-content: center; overflow: hidden; }
  #stage { position: relative; outline: 2px solid var(--line); touch-action: none; }
  [data-who=you] #stage { outline: 4px solid var(--you); } [data-who=person] #stage { outline: 4px solid var(--person); }
  #screen { display: block; width: 100%; height: 100%; background: #000; }
  #typing { position: absolute; left: 50%; bottom: 0; width: 1px; height: 1px; padding: 0; border: 0; opacity: 0; resize: none; font-size: 16px; }
  #mark { position: absolute; pointer-events: none; border: 2px solid currentColor; border-radius: 3px; box-shadow: 0 0 0 1px #fff; animation: fade 6s forwards; }
  @keyframes fade { 0%, 60% { opacity: 1; } 100% { opacity: .35; } }
  @media (prefers-reduced-motion: reduce) { #mark { animation: none; } }
  #mark svg { position: absolute; left: 50%; top: 50%; width: 22px; height: 22px; fill: currentColor; stroke: #fff; stroke-width: 1.5; }
  #label { position: absolute; left: 0; top: calc(100% + 20px); max-width: 340px; padding: 2px 8px; border-radius: 6px; background: currentColor; font-size: 13px; font-weight: 600; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  #label span, #label { -webkit-text-fill-color: #fff; }
  @media (prefers-color-scheme: dark) { #label { -webkit-text-fill-color: #101014; } }
  #mark.left #label { left: auto; right: 0; } #mark.above #label { top: auto; bottom: calc(100% + 6px); }
  .running { color: var(--running); } .done { color: var(--soft); } .good { color: var(--good); } .unsure { color: var(--unsure); } .bad { color: var(--bad); }
  aside { overflow: auto; padding: 12px 14px; background: var(--card); border-left: 1px solid var(--line); }
  h2 { margin: 0 0 8px; font-size: 15px; }
  ol { margin: 0; padding: 0; list-style: none; }
  li { padding: 6px 0 6px 10px; margin-bottom: 4px; border-left: 4px solid currentColor; overflow-wrap: anywhere; }
  li span { color: var(--text); } li time { color: var(--soft); font-size: 12px; } li b { display: block; font-size: 13px; }
  @media (max-width: 760px) { body { grid-template: auto 1fr auto / 1fr; } #room { margin: 2px; } aside { max-height: 24vh; border: 0; border-top: 1px solid var(--line); } }
`;

/** For the content security policy: allows only this style and this script. */
export const PAGE_SOURCES = `style-src '${hash(STYLE)}'; script-src '${hash(SCRIPT)}'`;

/** The page of one session. Session names consist of letters, digits, dots, dashes and underscores, so they need no escaping. */
export function livePage(name: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} – Deskterity</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
<body data-who="agent">
<header><strong>${name}</strong><span id="who" role="status">Connecting</span>
<button id="take" hidden>Take over</button><button id="give" hidden>Hand back</button><span id="note" role="status"></span></header>
<div id="room"><div id="stage"><canvas id="screen" role="img" aria-label="The screen of session ${name}"></canvas>
<textarea id="typing" disabled aria-label="Keyboard of the desktop; Ctrl+Alt+Enter leaves it" autocapitalize="off" autocomplete="off" autocorrect="off" spellcheck="false"></textarea>
<div id="mark" hidden aria-hidden="true"><svg viewBox="0 0 22 22"><path d="M2 1v17l4.5-4.3 3 6.8 3-1.3-3-6.7H16z"/></svg><div id="label"></div></div></div></div>
<aside aria-label="Last acts"><h2>Last acts</h2><ol id="acts"></ol></aside>
<script>${SCRIPT}</script></html>
`;
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
