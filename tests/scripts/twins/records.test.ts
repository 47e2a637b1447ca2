import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { usableWidgets } from '../../../scripts/proof/twins/act/widgets.ts';
import { readFiles, unequalFiles } from '../../../scripts/proof/twins/look/files.ts';
import { Records } from '../../../scripts/proof/twins/run/records.ts';
import { readFrame } from '../../../scripts/proof/twins/side/frame.ts';
import { createHome } from '../../../scripts/proof/twins/side/home.ts';
import { node, seen } from './seen.ts';

describe('files of the twins', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deskterity-twin-unit-'));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('a record can be continued, even if its last line is cut off', () => {
    const file = join(folder, 'a/app.jsonl');
    const records = new Records(file);
    const widgets = usableWidgets(seen([node('push button', 'OK')]));
    records.add({
      phase: 'start',
      toolkit: 'gtk 3',
      widgets,
      restless: { tiles: [1], places: [], files: [] },
    });
    appendFileSync(file, '{"phase":"acts","act":{');
    expect(records.read()).toEqual({
      start: { phase: 'start', toolkit: 'gtk 3', widgets, restless: { tiles: [1], places: [], files: [] } },
      acts: [],
    });
  });

  it('a folder is compared by contents, without caches', () => {
    createHome(folder);
    const before = readFiles(folder);
    writeFileSync(join(folder, 'Documents/notes.txt'), 'other\n');
    writeFileSync(join(folder, '.cache/thumbnail'), 'now\n');
    expect([...unequalFiles(before, readFiles(folder))]).toEqual(['Documents/notes.txt']);
  });

  it('a log counts by being there, not by what it says', () => {
    createHome(folder);
    const before = readFiles(folder);
    writeFileSync(join(folder, 'program.log'), 'now\n');
    const [first, unequal] = [readFiles(folder), unequalFiles(before, readFiles(folder))];
    expect([...unequal]).toEqual(['program.log']);
    writeFileSync(join(folder, 'program.log'), 'then\n');
    expect(unequalFiles(first, readFiles(folder)).size).toBe(0);
  });

  it('the frame buffer of Xvfb is read as it lies in its file', () => {
    createHome(folder);
    const [words, colours] = [25, 2];
    const bytes = Buffer.alloc(words * 4 + colours * 12 + 2 * 1 * 4);
    for (const [index, value] of Object.entries({ 0: words * 4, 4: 2, 5: 1, 12: 8, 19: colours }))
      bytes.writeUInt32BE(value, Number(index) * 4);
    bytes.writeUInt32LE(0xff_00_00, words * 4 + colours * 12);
    bytes.writeUInt32LE(0x00_ff_00, words * 4 + colours * 12 + 4);
    const file = join(folder, 'frame');
    writeFileSync(file, bytes);
    expect(readFrame(file)).toEqual({
      width: 2,
      height: 1,
      pixels: new Uint32Array([0xff_00_00, 0x00_ff_00]),
    });
  });
});
