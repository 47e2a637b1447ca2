import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeskterityError } from '../../../../src/model/effects/errors.ts';
import { resolveApp } from '../../../../src/platform/linux/process/resolve-app.ts';

let root = '';

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
  chmodSync(path.join(root, file), mode);
}

function entry(file: string, fields: Record<string, string>): void {
  const lines = Object.entries({ Type: 'Application', ...fields }).map(([key, value]) => `${key}=${value}`);
  write(file, `[Desktop Entry]\n${lines.join('\n')}\n`);
}

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'resolve-'));
  for (const name of ['paint', 'calc', 'texted', 'other', 'cursor-app'])
    write(`bin/${name}`, '#!/bin/sh\n', 0o755);
  write('bin/data', 'x');
  entry('share/applications/org.kde.paint.desktop', {
    Name: 'Paint',
    'Name[de]': 'Malen',
    Exec: 'paint %F',
    Path: '/',
  });
  entry('share/applications/one.desktop', { Name: 'Calculator', Exec: 'calc --one' });
  entry('share/applications/two.desktop', { Name: 'Calculator', Exec: 'calc --two' });
  entry('share/applications/kde/nested.desktop', { Name: 'Nested', Exec: 'other' });
  entry('share/applications/term.desktop', { Name: 'Top', Exec: 'other', Terminal: 'true' });
  entry('share/applications/dbus.desktop', { Name: 'Bus only', DBusActivatable: 'true' });
  entry('share/applications/try.desktop', { Name: 'Try', Exec: 'other', TryExec: 'missing-program' });
  entry('share/applications/gone.desktop', { Name: 'Gone', Exec: 'missing-program' });
  entry('share/applications/bad.desktop', { Name: 'Bad', Exec: '"other' });
  entry('share/applications/masked.desktop', { Name: 'Masked', Exec: 'other' });
  entry('home/applications/masked.desktop', { Name: 'Masked', Hidden: 'true' });
  entry('share/applications/quiet.desktop', { Name: 'Editor', Exec: 'other', NoDisplay: 'true' });
  entry('share/applications/loud.desktop', { Name: 'Editor', Exec: 'texted' });
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function resolve(app: string, args: readonly string[] = []): ReturnType<typeof resolveApp> {
  return resolveApp({
    app,
    args,
    cwd: root,
    environment: {
      PATH: path.join(root, 'bin'),
      XDG_DATA_HOME: path.join(root, 'home'),
      XDG_DATA_DIRS: path.join(root, 'share'),
    },
  });
}

function failure(app: string): DeskterityError {
  try {
    resolve(app);
  } catch (error) {
    if (error instanceof DeskterityError) return error;
  }
  throw new Error('did not fail');
}

describe('resolveApp', () => {
  it.each([
    ['paint', 'bin/paint', 'paint'],
    ['org.kde.paint', 'bin/paint', 'Paint'],
    ['org.kde.paint.desktop', 'bin/paint', 'Paint'],
    ['ORG.KDE.Paint', 'bin/paint', 'Paint'],
    ['Paint', 'bin/paint', 'Paint'],
    ['malen', 'bin/paint', 'Paint'],
    ['kde-nested', 'bin/other', 'Nested'],
    ['editor', 'bin/texted', 'Editor'],
    ['./bin/calc', 'bin/calc', 'calc'],
    ['share/applications/one.desktop', 'bin/calc', 'Calculator'],
  ])('finds %s', (app, program, name) => {
    expect(resolve(app)).toMatchObject({ program: path.join(root, program), name });
  });

  it('places arguments as the entry specifies and keeps its folder', () => {
    expect(resolve('Paint', ['a b', 'c'])).toMatchObject({ args: ['a b', 'c'], folder: '/' });
    expect(resolve('one', ['x']).args).toEqual(['--one', 'x']);
  });

  it.each([
    ['nothing-like-this', 'APP_NOT_FOUND'],
    ['./bin/nothing', 'APP_NOT_FOUND'],
    ['./bin/data', 'PERM_DENIED'],
    ['./bin', 'PERM_DENIED'],
    ['Calculator', 'AMBIGUOUS_APP'],
    ['Top', 'ACTION_NOT_SUPPORTED'],
    ['Bus only', 'ACTION_NOT_SUPPORTED'],
    ['Try', 'APP_NOT_FOUND'],
    ['Gone', 'APP_NOT_FOUND'],
    ['Bad', 'ACTION_FAILED'],
    ['Masked', 'APP_NOT_FOUND'],
    ['', 'APP_NOT_FOUND'],
  ])('%j fails with %s', (app, code) => {
    expect(failure(app).code).toBe(code);
  });

  it('offers the candidates and the nearest names', () => {
    expect(new Set(failure('Calculator').candidates.map((candidate) => candidate.name))).toEqual(
      new Set(['one', 'two']),
    );
    expect(failure('paimt').candidates[0]?.name).toBe('Paint');
    expect(failure('calcul').suggestion).toContain('Calculator');
  });
});
