import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entriesOf, filesIn, intent, MUCH, newFolder, openLog, textOf } from './support.ts';

async function written(count: number, folder = newFolder()): Promise<string> {
  const log = openLog(folder);
  for (let at = 0; at < count; at += 1) await (await log.record(intent(`command ${at}`))).synced;
  return folder;
}

const problemsIn = async (folder: string): Promise<string[]> =>
  (await openLog(folder).check()).problems.map(({ problem }) => problem);

describe('the audit log', () => {
  it('is a chain that anybody can check with SHA-256, readable only by its owner', async () => {
    const folder = await written(3);
    const lines = textOf(folder).trimEnd().split('\n');
    let previous = '0'.repeat(64);
    for (const line of lines) {
      const hashed = line.replace(/,"hash":"[0-9a-f]{64}"\}$/, '}');
      const hash = createHash('sha256').update(hashed).digest('hex');
      expect(JSON.parse(line)).toMatchObject({ previous, hash });
      previous = hash;
    }
    expect(lines).toHaveLength(3);
    expect(readFileSync(join(folder, 'head'), 'utf8')).toBe(`000000000000003 ${previous}\n`);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of [...filesIn(folder), 'head'])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(await openLog(folder).check()).toMatchObject({ entries: 3, problems: [], notes: [] });
  });

  it('writes what comes at once together, in order', async () => {
    const folder = newFolder();
    const log = openLog(folder);
    const all = await Promise.all(Array.from({ length: 50 }, (_, at) => log.record(intent(`n ${at}`))));
    await Promise.all(all.map(({ synced }) => synced));
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, at) => at + 1));
    expect(await problemsIn(folder)).toEqual([]);
  });

  it('goes on after another log object has written to it', async () => {
    const folder = newFolder();
    const [one, other] = [openLog(folder), openLog(folder)];
    for (const log of [one, other, one, one, other]) await log.record(intent('x'));
    expect(await openLog(folder).check()).toMatchObject({ entries: 5, problems: [] });
  });

  it('finds any changed byte, except in what is only the end of an interrupted line', async () => {
    const folder = await written(6);
    const [name = ''] = filesIn(folder);
    const path = join(folder, name);
    const bytes = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: bytes.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const changed = Buffer.from(bytes);
          changed[at] = (changed[at] ?? 0) ^ change;
          writeFileSync(path, changed);
          expect(await problemsIn(folder)).not.toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('finds any cut end by its head', async () => {
    const folder = await written(6);
    const path = join(folder, filesIn(folder)[0] ?? '');
    const bytes = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.length - 1 }), async (length) => {
        writeFileSync(path, bytes.subarray(0, length));
        expect(await problemsIn(folder)).not.toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('finds entries that were swapped, left out or written twice', async () => {
    const folder = await written(8);
    const path = join(folder, filesIn(folder)[0] ?? '');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const change = fc.constantFrom('swap', 'leave out', 'twice');
    const place = fc.nat({ max: lines.length - 1 });
    await fc.assert(
      fc.asyncProperty(change, place, place, async (what, at, other) => {
        fc.pre(at !== other);
        const [one = '', two = ''] = [lines[at], lines[other]];
        const changed =
          what === 'swap'
            ? lines.with(at, two).with(other, one)
            : what === 'twice'
              ? lines.toSpliced(at, 0, one)
              : lines.toSpliced(at, 1);
        writeFileSync(path, `${changed.join('\n')}\n`);
        expect(await problemsIn(folder)).not.toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('names the first broken entry', async () => {
    const folder = await written(5);
    const path = join(folder, filesIn(folder)[0] ?? '');
    writeFileSync(path, readFileSync(path, 'utf8').replace('command 2', 'command X'));
    expect((await problemsIn(folder))[0]).toMatch(/^Line 3 of audit-0{11}1\.jsonl has been changed/);
  });

  it('continues behind an interrupted line, and says what was there', async () => {
    const folder = await written(3);
    const path = join(folder, filesIn(folder)[0] ?? '');
    const torn = '{"sequence":4,"previous":"ab';
    appendFileSync(path, torn);
    expect(await openLog(folder).check()).toMatchObject({
      problems: [],
      notes: [expect.stringContaining('interrupted')],
    });
    await openLog(folder).record(intent('after'));
    const check = await openLog(folder).check();
    expect(check).toMatchObject({
      entries: 5,
      problems: [],
      notes: [expect.stringMatching(/^Line 4 .* was interrupted/)],
    });
    // The rest of that line is protected by the entry that tells of it.
    writeFileSync(path, readFileSync(path, 'utf8').replace(`${torn}\n`, `${torn.slice(0, -1)}x\n`));
    expect(await problemsIn(folder)).not.toEqual([]);
  });

  it('keeps telling that its end was cut after it has gone on', async () => {
    const folder = await written(5);
    const path = join(folder, filesIn(folder)[0] ?? '');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    writeFileSync(path, `${lines.slice(0, 3).join('\n')}\n`);
    for (const command of ['a', 'b', 'c', 'd']) await openLog(folder).record(intent(command));
    expect((await problemsIn(folder))[0]).toMatch(/the end of the log was missing, up to entry 5\.$/);
  });

  it('keeps telling that a file or all of it was removed', async () => {
    const folder = await written(2);
    rmSync(join(folder, filesIn(folder)[0] ?? ''));
    await openLog(folder).record(intent('a'));
    expect((await problemsIn(folder))[0]).toMatch(/up to entry 2\.$/);
  });

  it('accepts a head that is behind: a process ended between an entry and its head', async () => {
    const folder = await written(2);
    const head = readFileSync(join(folder, 'head'));
    await written(1, folder);
    writeFileSync(join(folder, 'head'), head);
    expect(await openLog(folder).check()).toMatchObject({ problems: [], notes: [expect.any(String)] });
    await written(1, folder);
    expect(await openLog(folder).check()).toMatchObject({ entries: 4, problems: [], notes: [] });
  });

  it('finds an entry by a hash that was noted elsewhere, also if all of it was written anew', async () => {
    const folder = await written(3);
    const { head } = await openLog(folder).check();
    await written(2, folder);
    expect((await openLog(folder).check(head)).problems).toEqual([]);
    const other = await written(9);
    expect((await openLog(other).check(head)).problems[0]?.problem).toContain('no entry number 3');
  });

  it('continues the chain in the next file, and says which files it has removed', async () => {
    const folder = newFolder();
    const keeping = { ...MUCH, fileBytes: 1000, keepBytes: 4000 };
    const log = openLog(folder, { keeping });
    for (let at = 0; at < 60; at += 1) await log.record(intent(`command ${at}`));
    const files = filesIn(folder);
    expect(files.length).toBeGreaterThan(2);
    expect(files[0]).not.toBe('audit-000000000001.jsonl');
    const check = await openLog(folder).check();
    expect(check).toMatchObject({ files: files.length, problems: [] });
    expect(check.first?.sequence).toBeGreaterThan(1);
    // A file that somebody else removes is missed.
    rmSync(join(folder, files[0] ?? ''));
    expect((await problemsIn(folder))[0]).toMatch(/^The entries before number \d+ are missing/);
    rmSync(join(folder, files[2] ?? ''));
    expect(await problemsIn(folder)).toHaveLength(2);
  });

  it('begins a new file after a week, and removes those that are too old', async () => {
    const folder = newFolder();
    let day = 0;
    const now = () => new Date(Date.UTC(2026, 0, 1 + day));
    const log = openLog(folder, { now, keeping: { ...MUCH, keepDays: 20 } });
    for (; day < 60; day += 1) await log.record(intent('daily'));
    expect(filesIn(folder)).toHaveLength(4);
    expect(await problemsIn(folder)).toEqual([]);
  });

  it('fails with a reason where it cannot be written, and recovers', async () => {
    const folder = await written(1);
    const path = join(folder, filesIn(folder)[0] ?? '');
    rmSync(path);
    rmSync(join(folder, 'head'));
    mkdirSync(path);
    const log = openLog(folder);
    await expect(log.record(intent('a'))).rejects.toMatchObject({ name: 'AuditFailure', code: 'EISDIR' });
    rmSync(path, { recursive: true });
    await log.record(intent('b'));
    expect(await problemsIn(folder)).toEqual([]);
  });

  it('does not follow a link', async () => {
    const folder = await written(1);
    const path = join(folder, filesIn(folder)[0] ?? '');
    renameSync(path, `${folder}-elsewhere`);
    symlinkSync(`${folder}-elsewhere`, path);
    await expect(openLog(folder).record(intent('a'))).rejects.toMatchObject({ code: 'ELOOP' });
  });

  it('makes its files private again', async () => {
    const folder = await written(1);
    chmodSync(folder, 0o755);
    chmodSync(join(folder, filesIn(folder)[0] ?? ''), 0o644);
    await openLog(folder).record(intent('a'));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, filesIn(folder)[0] ?? '')).mode & 0o777).toBe(0o600);
  });

  it('reads entries from a place on, and leaves out what is broken', async () => {
    const folder = await written(3);
    const all = await entriesOf(folder);
    expect(all.map(({ entry }) => entry.facts['command'])).toEqual(['command 0', 'command 1', 'command 2']);
    const later = await entriesOf(folder, all[1]?.end);
    expect(later.map(({ entry }) => entry.sequence)).toEqual([3]);
    truncateSync(join(folder, filesIn(folder)[0] ?? ''), (all[2]?.end.offset ?? 0) - 10);
    expect(await entriesOf(folder)).toHaveLength(2);
  });

  it('escapes and limits what is in a fact', async () => {
    const folder = newFolder();
    const facts = { target: 'a"b\n\u{202E}', long: 'x'.repeat(5000), hash: 'no', __proto__: 1 };
    await openLog(folder).record({ kind: 'intent', facts });
    const [found] = await entriesOf(folder);
    expect(found?.entry.facts['target']).toBe(facts.target);
    expect(String(found?.entry.facts['long']).length).toBe(401);
    expect(textOf(folder)).not.toContain('\u{202E}');
    expect(await problemsIn(folder)).toEqual([]);
  });
});
