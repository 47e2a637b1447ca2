import { expect, it } from 'vitest';
import { MCP_CLIENTS } from '../../../src/model/configuration/mcp-clients/clients.ts';
import { clientFiles, type PlaceOwner } from '../../../src/model/configuration/mcp-clients/resolve-place.ts';

const owner = (
  platform: string,
  environment: PlaceOwner['environment'],
  folder = '/work/project',
): PlaceOwner => ({
  platform,
  environment,
  projectFolder: () => folder,
});

const first = (who: PlaceOwner, scope: 'user' | 'project' = 'user') =>
  Object.fromEntries(
    MCP_CLIENTS.filter((client) => scope === 'user' || 'projectFiles' in client).map((client) => [
      client.name,
      clientFiles(client, scope, who)[0],
    ]),
  );

it('files of a user on Linux, on macOS and on Windows', () => {
  expect(first(owner('linux', { HOME: '/home/me/' }))).toEqual({
    'claude-code': '/home/me/.claude.json',
    'claude-desktop': '/home/me/.config/Claude/claude_desktop_config.json',
    cursor: '/home/me/.cursor/mcp.json',
    vscode: '/home/me/.config/Code/User/mcp.json',
    codex: '/home/me/.codex/config.toml',
    windsurf: '/home/me/.codeium/windsurf/mcp_config.json',
    'gemini-cli': '/home/me/.gemini/settings.json',
    zed: '/home/me/.config/zed/settings.json',
    opencode: '/home/me/.config/opencode/opencode.json',
  });
  expect(first(owner('darwin', { HOME: '/Users/me' }))).toMatchObject({
    'claude-desktop': '/Users/me/Library/Application Support/Claude/claude_desktop_config.json',
    vscode: '/Users/me/Library/Application Support/Code/User/mcp.json',
    zed: '/Users/me/.config/zed/settings.json',
  });
  const windows = { USERPROFILE: 'C:\\Users\\me', APPDATA: 'D:\\Roaming', HOME: '/c/Users/me' };
  expect(first(owner('win32', windows))).toMatchObject({
    'claude-code': 'C:\\Users\\me\\.claude.json',
    'claude-desktop': 'D:\\Roaming\\Claude\\claude_desktop_config.json',
    vscode: 'D:\\Roaming\\Code\\User\\mcp.json',
    zed: 'D:\\Roaming\\Zed\\settings.json',
  });
  expect(first(owner('win32', { USERPROFILE: 'C:\\Users\\me' }))).toMatchObject({
    vscode: 'C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json',
  });
});

it('files of a project', () => {
  expect(first(owner('linux', { HOME: '/home/me' }), 'project')).toEqual({
    'claude-code': '/work/project/.mcp.json',
    cursor: '/work/project/.cursor/mcp.json',
    vscode: '/work/project/.vscode/mcp.json',
    codex: '/work/project/.codex/config.toml',
    'gemini-cli': '/work/project/.gemini/settings.json',
    zed: '/work/project/.zed/settings.json',
    opencode: '/work/project/opencode.json',
  });
});

it('uses the variables of the clients if they name a folder', () => {
  const variables = {
    CLAUDE_CONFIG_DIR: '/a',
    CODEX_HOME: '/b/',
    GEMINI_CLI_HOME: '/c',
    XDG_CONFIG_HOME: '/d',
  };
  expect(first(owner('linux', { HOME: '/home/me', ...variables }))).toMatchObject({
    'claude-code': '/a/.claude.json',
    codex: '/b/config.toml',
    'gemini-cli': '/c/.gemini/settings.json',
    opencode: '/d/opencode/opencode.json',
    zed: '/d/zed/settings.json',
  });
  const relative = { CLAUDE_CONFIG_DIR: 'a', CODEX_HOME: '', XDG_CONFIG_HOME: './d' };
  expect(first(owner('linux', { HOME: '/home/me', ...relative }))).toEqual(
    first(owner('linux', { HOME: '/home/me' })),
  );
});

it('guesses no home folder', () => {
  for (const environment of [{}, { HOME: '' }, { HOME: 'me' }])
    expect(() => first(owner('linux', environment))).toThrow('names your home folder');
});
