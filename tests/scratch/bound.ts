import { mkdirSync, openSync, closeSync } from 'node:fs';
import { BoundPlaces } from '../../src/platform/linux/sandbox/bubblewrap/bound-places.ts';
const places = Array.from({ length: 10 }, (_, i) => `/tmp/newc/kil/place-${i}`);
for (const p of places) mkdirSync(p, { recursive: true });
const [scope = '', ...write] = places;
const c = { by: 'bubblewrap' as const, scope, read: [], write, network: true, unixSockets: true, denyReport: false };
const rounds = 50, t = performance.now();
for (let i = 0; i < rounds; i++) { const b = new BoundPlaces(); b.open(c); b.close(); }
console.log(`${((performance.now() - t) / rounds).toFixed(2)} ms for ${places.length} places`);
