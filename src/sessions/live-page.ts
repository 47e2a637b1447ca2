import { createHash } from 'node:crypto';

const STYLE = `
  body { margin: 0; font: 14px system-ui, sans-serif; background: #222; color: #ddd; }
  header { height: 32px; padding: 0 12px; display: flex; gap: 12px; align-items: center; }
  img { display: block; max-width: 100vw; max-height: calc(100vh - 32px); margin: auto; }
`;

/** Requests the next picture after the last one has arrived, so a slow desktop gets fewer requests. */
const SCRIPT = `
  const screen = document.getElementById('screen'), state = document.getElementById('state');
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const show = async (response) => {
    const url = URL.createObjectURL(await response.blob());
    screen.src = url;
    try { await screen.decode(); } finally { URL.revokeObjectURL(url); }
    state.textContent = new Date().toLocaleTimeString();
  };
  const watch = async () => {
    for (;;) {
      try {
        const response = await fetch(location.pathname + '/screen.png', { cache: 'no-store' });
        if (response.status === 404) { state.textContent = 'the session has ended'; return; }
        if (response.ok) { await show(response); await pause(500); continue; }
        state.textContent = (await response.text()).trim() + ' Trying again.';
      } catch { state.textContent = 'no answer; the daemon may have ended. Trying again.'; }
      await pause(2000);
    }
  };
  watch();
`;

/** For the content security policy: allows only this style and this script. */
export const LIVE_PAGE_SOURCES = `style-src '${hash(STYLE)}'; script-src '${hash(SCRIPT)}'`;

/** The page of one session. Session names consist of letters, digits, dots, dashes and underscores, so they need no escaping. */
export function livePage(name: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${name} – Deskterity</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
<header><strong>${name}</strong><span id="state" role="status">loading</span></header>
<img id="screen" alt="The screen of session ${name}">
<script>${SCRIPT}</script></html>
`;
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
