import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.generated.ts';
import { byPerson, mentionCommand, spellMentions } from '../../../src/model/text/mention.ts';
import { commandLineSpeller } from '../../../src/registry/command-line-speller.ts';
import { createRegistry } from '../../../src/registry/registry.ts';
import { allToolFacts } from '../../../src/surfaces/mcp/tools/command-tools.ts';
import { toolSpeller } from '../../../src/surfaces/mcp/tools/client-spelling.ts';
import { choose } from '../../../src/surfaces/mcp/tools/toolsets.ts';

const SOURCES = path.join(import.meta.dirname, '../../../src');

/** What a model that has only tools cannot run, or what needs the checkout. */
const LEFTOVER = /\bdesk(?:terity)? (?:--)?[a-z]|(?<![\w"'`$-])--[a-z]|\bnpm (?:run|install)|\bnpx /;

/** Its texts are for people, or are no texts. */
const FOR_PEOPLE: Readonly<Record<string, string>> = {
  'surfaces/cli/': 'the command line itself',
  'processes/bin/': 'the command line itself',
  'processes/daemon/refusal.ts': 'answers to the command line',
  'processes/daemon/serve-attachment.ts': 'shown in the terminal of a person',
  'registry/command-line.ts': 'spells command lines',
  'registry/command-line-speller.ts': 'spells command lines',
  'model/terminals/session-name.ts': 'what "the user runs"',
  'commands/mcp/': 'commands that only people have',
  'commands/terminals/terminal-execute.ts': 'examples of commands in a shell',
  'commands/apps/launch.ts': 'an example of an application’s own arguments',
  'commands/operations/tools-init.ts': 'the option of another program',
  'model/tools/': 'options of other programs',
  'toolfiles/draft/': 'options of other programs',
  'terminal/shells/': 'options of other programs',
  'terminal/windows/open-window.ts': 'starts a program',
  'platform/linux/terminal-applications/': 'options of other programs',
  'platform/linux/process/launch-profiles.ts': 'options of other programs',
  'platform/linux/private-desktop/window-manager.ts': 'options of other programs',
  'platform/linux/sandbox/bubblewrap/bubblewrap.ts': 'options of other programs',
  'platform/linux/sandbox/levels/sandbox-level.ts': 'options of other programs',
  'platform/linux/desktop/': 'an option of Chromium, which launching sets',
  'platform/linux/setup/gnome/': 'files that people find in their home',
  'engine/doctor/input-trials.ts': 'the name of a holder of the lease',
  'app/unknown-command.ts': 'a command that does not exist; every tool has one',
  'platform/node/configuration/configuration-problem.ts': 'a constant that is only used in byPerson',
};

/** The parts of a source that are in texts for people: what is in `byPerson(…)` and `onCommandLine(…)`, and comments. */
function withoutPeoplesTexts(source: string): string {
  let rest = source.replaceAll(/^\s*(?:\/\/|\/\*|\*).*$/gm, '');
  for (let call = PEOPLES.exec(rest); call !== null; call = PEOPLES.exec(rest)) {
    let depth = 1;
    let end = call.index + call[0].length;
    for (; depth > 0 && end < rest.length; end += 1) {
      if (rest[end] === '(') depth += 1;
      if (rest[end] === ')') depth -= 1;
    }
    rest = `${rest.slice(0, call.index)}PEOPLE${rest.slice(end)}`;
  }
  return rest;
}

const PEOPLES = /\b(?:byPerson|onCommandLine)\(/;

describe('no text that MCP can show', () => {
  it('names a command line or a flag, except in what is for people', () => {
    const found = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter(
        (file) => file.endsWith('.ts') && !file.endsWith('.generated.ts') && !file.endsWith('tables.ts'),
      )
      .filter((file) => !Object.keys(FOR_PEOPLE).some((place) => file.startsWith(place)))
      .toSorted()
      .flatMap((file) =>
        withoutPeoplesTexts(readFileSync(path.join(SOURCES, file), 'utf8'))
          .split('\n')
          .filter((line) => /['"`]/.test(line) && LEFTOVER.test(line))
          .map((line) => `${file}: ${line.trim()}`),
      );
    expect(found).toEqual([]);
  });

  it.each([
    [`suggestion: 'Run desk doctor.'`, true],
    ['suggestion: `Leave out --no-daemon, or wait.`', true],
    [`'Start one with: npm run desktop -- COMMAND.'`, true],
    ['suggestion: `${byPerson(`Use --no-sandbox (or ${x})`)}, or wait.`', false],
    [`// desk doctor says more`, false],
    [`'a well-known - - dash'`, false],
  ])('%s: %s', (source, isFound) => expect(LEFTOVER.test(withoutPeoplesTexts(source))).toBe(isFound));
});

describe('a mention for a client of the core toolset', () => {
  const registry = createRegistry(commands);
  const all = allToolFacts(registry.commands);
  const speller = toolSpeller({
    offered: choose(all, { toolsets: ['core'], capabilities: undefined }),
    commandLine: commandLineSpeller(registry),
  });

  it('is a tool, or says that the user must run it', () => {
    for (const { name } of registry.commands) {
      const text = spellMentions(mentionCommand(name), speller);
      expect(text).toMatch(/^(?:desktop_\w+$|[`"]desk .*[`"] \(ask the user to run it\)$)/);
    }
  });

  it('of a step for a person asks for it, with the command line that a person types', () => {
    const text = `${byPerson(`Install x, then run ${mentionCommand('daemon restart')}`)}; or run ${mentionCommand('snapshot')}.`;
    expect(spellMentions(text, speller)).toBe(
      'Ask the user to install x, then run "desk daemon restart"; or run desktop_snapshot.',
    );
    expect(spellMentions(text, commandLineSpeller(registry))).toBe(
      'Install x, then run "desk daemon restart"; or run "desk snapshot".',
    );
  });
});

it('no tool says what only the command line has', () => {
  const registry = createRegistry(commands);
  for (const { command, description, inputSchema } of allToolFacts(registry.commands)) {
    const text = `${description} ${JSON.stringify(inputSchema['properties'])}`;
    expect([
      command,
      /\bfile for it|file to write|Save a picture|exit code|on the command line/i.exec(
        spellMentions(
          text,
          toolSpeller({
            offered: allToolFacts(registry.commands),
            commandLine: commandLineSpeller(registry),
          }),
        ),
      )?.[0],
    ]).toEqual([command, undefined]);
  }
});
