import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Stage } from '../tests/linux/long-lived/stage.ts';
import type { TreeNode } from '../src/model/tree/node.ts';
import { isInteractive } from '../src/model/tree/role.ts';
import { seededRandom } from './proof/row.ts';
import { differences } from './proof/mirror/compare.ts';

const [count = '40', seed = '1', ...command] = process.argv.slice(2);
const stage = await Stage.open();
const home = stage.place.environment['HOME'] ?? '/tmp';
mkdirSync(home + '/Documents', { recursive: true }); mkdirSync(home + '/ff', { recursive: true }); writeFileSync(home + '/Documents/notes.txt', 'one\ntwo\nthree\n'); writeFileSync(home + '/Documents/n.csv', '1,2,3\n4,5,6\n');
const page = `<title>t</title><h1>Hello</h1><button onclick="this.textContent='pressed '+Math.floor(performance.now()%100)">Press</button><label><input type=checkbox> check</label><select><option>a<option>b<option>c</select><input aria-label=name><input type=range aria-label=volume><div id=l></div><button onclick="l.insertAdjacentHTML('afterbegin','<p>para '+l.childNodes.length+'</p>')">Add</button><button onclick="l.firstChild&&l.firstChild.remove()">Remove</button><button onclick="l.hidden=!l.hidden">Hide</button><details><summary>More</summary>inside <b>bold</b></details><button onclick="document.title='t'+l.childNodes.length">Title</button><ul><li>one<li>two</ul><table><tr><td>1<td>2</table>`;
writeFileSync(home + '/Documents/p.html', page);
const child = spawn(command[0]!, command.slice(1).map((a) => a.replaceAll('HOME', home)), { env: { ...stage.place.environment, GSK_RENDERER: 'cairo', QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1', ACCESSIBILITY_ENABLED: '1', GNOME_ACCESSIBILITY: '1', SAL_USE_VCLPLUGIN: 'gtk3' }, stdio: 'ignore' });
const call = { deadlineMs: 8000 };
try {
  const d = stage.desktop;
  const random = seededRandom(Number(seed));
  const front = async () => { const all = (await d.listWindows(call)).filter((w) => w.root !== undefined); return all.find((w) => w.focused) ?? all.at(-1); };
  for (let i = 0; i < 150 && !(await front()); i++) await sleep(200);
  await sleep(2500);
  const read = (root: TreeNode['handle'], fresh: boolean) => d.readTree({ ...call, root, wholeTree: false, maxNodes: 20000, includeActions: false, mirrored: !fresh });
  let w0 = await front(); await read(w0!.root!, false); await sleep(800);
  const classes = new Map<string, { n: number; example: string }>(); let acts = 0, warmMs: number[] = [], freshMs: number[] = [], nodes = 0;
  for (let i = 0; i < Number(count); i++) {
    const window = await front(); if (!window?.root) { await sleep(300); continue; }
    const tree = await read(window.root, false).catch(() => undefined); if (!tree) continue;
    const targets: TreeNode[] = []; const walk = (n: TreeNode) => { if (n.bounds && n.bounds.width > 0 && isInteractive(n.role) && !/close|quit|exit/i.test(n.name)) targets.push(n); n.children.forEach(walk); }; walk(tree.root);
    const lease = await d.input.take('explore', call);
    let what = '';
    try {
      const r = random();
      const key = ['Tab', 'ArrowDown', 'ArrowRight', 'Space', 'Enter', 'Escape', 'F10', 'Backspace', 'x', '7'][Math.floor(random() * 10)]!;
      const target = targets[Math.floor(random() * targets.length)];
      if (r < 0.55 && target?.bounds) { const b = target.bounds; what = `click ${target.role} ${target.name}`; await lease.moveTo({ x: b.x + (b.width >> 1), y: b.y + (b.height >> 1) }, call); await lease.click('left', 1, call); }
      else if (key.length === 1) { what = `type ${key}`; await lease.type(key, { ...call, delayMs: 0, check: async () => undefined }); }
      else { what = `press ${key}`; await lease.press([key] as never, call); }
    } catch (e) { what += String(e); } finally { await lease.endLease(); }
    acts++;
    await sleep(350);
    const now = await front(); if (!now?.root) continue;
    const pair = async () => { let t = performance.now(); const m = await read(now.root!, false); warmMs.push(performance.now() - t); t = performance.now(); const f = await read(now.root!, true); freshMs.push(performance.now() - t); nodes = f.nodeCount; return differences(m, f); };
    try {
      let found = await pair(); if (found.length) { await sleep(700); found = await pair(); }
      if (found.length) { await sleep(1500); found = await pair(); }
      for (const x of found) { const k = `${x.role}.${x.field}`; const e = classes.get(k) ?? { n: 0, example: `${what} | ${x.place.slice(-200)} | ${x.mirrored.slice(0, 150)} | ${x.fresh.slice(0, 150)}` }; e.n++; classes.set(k, e); }
    } catch (e) { console.log('read failed', String(e).slice(0, 100)); }
  }
  const median = (a: number[]) => a.toSorted((x, y) => x - y)[a.length >> 1]?.toFixed(1);
  console.log('==', command[0], 'acts', acts, 'nodes', nodes, 'warm', median(warmMs), 'fresh', median(freshMs));
  for (const [k, e] of classes) console.log('  ', e.n, k, '::', e.example);
} finally { child.kill(); await stage.close(); }
