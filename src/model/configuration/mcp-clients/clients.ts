import type { Structured } from '../config.ts';

/** Where a path begins; {@link resolvePlace} knows the folders. */
export type PlaceBase =
  | 'home'
  /** `XDG_CONFIG_HOME`, or `.config` in the home folder. */
  | 'config'
  /** `Library/Application Support` of macOS. */
  | 'application-support'
  /** `APPDATA` of Windows. */
  | 'roaming'
  /** The caller's current folder. */
  | 'project';

/** A file or folder by where its path begins and what follows. */
export interface Place {
  readonly base: PlaceBase;
  readonly path: readonly string[];
  /** A variable that names another folder; this place is used only if it is set. */
  readonly variable?: string;
}

/** Names as Node reports them. */
export type ClientPlatform = 'linux' | 'darwin' | 'win32';

export type ClientScope = 'user' | 'project';

/** How a client stores the command line of a server. */
export type EntryShape = 'plain' | 'typed' | 'forwarding' | 'one-list';

export interface McpClient {
  readonly name: string;
  readonly title: string;
  /** `json` allows no comments; a client that reads it would fail on them too. */
  readonly format: 'json' | 'jsonc' | 'toml';
  /** Keys that lead to the table of servers. */
  readonly key: string;
  readonly shape: EntryShape;
  /**
   * Whether it is to get structured content. None of them gains by it: where there is some, they give the model that alone (JSON, at
   * 1.4 to 2.2 times the tokens, without the marks around untrusted text), or both forms; see `docs/adr/0029-everything-once-over-mcp.md`.
   */
  readonly structured: Structured;
  /** Other keys that lead to the table of servers; used by a file that has that table. */
  readonly nestedKey?: string;
  /** Whether it is started from a shell, and so has the `PATH` of one. */
  readonly isTerminalProgram: boolean;
  /** Its files, best first: the first that exists is used, else the first. */
  readonly files: Readonly<Record<ClientPlatform, readonly Place[]>>;
  readonly projectFiles?: readonly Place[];
  /** Folders or files that exist only if it is installed, in addition to its files. */
  readonly traces?: readonly Place[];
  /** What the user does next. */
  readonly next: string;
}

const home = (...path: string[]): Place => ({ base: 'home', path });
const config = (...path: string[]): Place => ({ base: 'config', path });
const project = (...path: string[]): Place => ({ base: 'project', path });
const everywhere = (...places: Place[]): McpClient['files'] => ({
  linux: places,
  darwin: places,
  win32: places,
});
/** Where programs built on Electron keep their files. */
const electron = (...path: string[]): McpClient['files'] => ({
  linux: [config(...path)],
  darwin: [{ base: 'application-support', path }],
  win32: [{ base: 'roaming', path }],
});

/** The clients whose configuration can be edited, by name; each with the page that documents it. */
export const MCP_CLIENTS = [
  // https://code.claude.com/docs/en/mcp (scopes); CLAUDE_CONFIG_DIR: https://code.claude.com/docs/en/env-vars
  {
    name: 'claude-code',
    title: 'Claude Code',
    format: 'json',
    key: 'mcpServers',
    shape: 'typed',
    // With structured content the model gets only that: https://github.com/anthropics/claude-code/issues/79944.
    structured: 'never',
    isTerminalProgram: true,
    files: everywhere(
      { base: 'home', path: ['.claude.json'], variable: 'CLAUDE_CONFIG_DIR' },
      home('.claude.json'),
    ),
    projectFiles: [project('.mcp.json')],
    traces: [home('.claude')],
    next: 'Start a new Claude Code session; "/mcp" there lists the server.',
  },
  // https://modelcontextprotocol.io/docs/develop/connect-local-servers; Linux by the community's packages
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'json',
    key: 'mcpServers',
    shape: 'plain',
    // The model gets the text: https://github.com/seuros/action_mcp/issues/181.
    structured: 'never',
    isTerminalProgram: false,
    files: electron('Claude', 'claude_desktop_config.json'),
    next: 'Quit Claude Desktop and start it again.',
  },
  // https://cursor.com/docs/mcp
  {
    name: 'cursor',
    title: 'Cursor',
    format: 'jsonc',
    key: 'mcpServers',
    shape: 'typed',
    // With structured content the model gets only that: https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1411.
    structured: 'never',
    isTerminalProgram: false,
    files: everywhere(home('.cursor', 'mcp.json')),
    projectFiles: [project('.cursor', 'mcp.json')],
    next: 'Restart Cursor and switch the server on in its MCP settings.',
  },
  // https://code.visualstudio.com/docs/agents/reference/mcp-configuration
  {
    name: 'vscode',
    title: 'VS Code',
    format: 'jsonc',
    key: 'servers',
    shape: 'typed',
    // With structured content the model gets only that: https://github.com/microsoft/vscode/issues/290063; Copilot elsewhere passes on both: https://github.com/github/copilot-cli/issues/4515.
    structured: 'never',
    isTerminalProgram: false,
    files: electron('Code', 'User', 'mcp.json'),
    projectFiles: [project('.vscode', 'mcp.json')],
    next: 'Run "MCP: List Servers" in VS Code and start the server.',
  },
  // https://developers.openai.com/codex/mcp
  {
    name: 'codex',
    title: 'Codex',
    format: 'toml',
    key: 'mcp_servers',
    shape: 'forwarding',
    // With structured content the model gets only that: https://github.com/openai/codex/issues/38287.
    structured: 'never',
    isTerminalProgram: true,
    files: everywhere(
      { base: 'home', path: ['config.toml'], variable: 'CODEX_HOME' },
      home('.codex', 'config.toml'),
    ),
    projectFiles: [project('.codex', 'config.toml')],
    next: 'Start a new Codex session; "/mcp" there lists the server.',
  },
  // https://docs.windsurf.com/windsurf/cascade/mcp
  {
    name: 'windsurf',
    title: 'Windsurf',
    format: 'jsonc',
    key: 'mcpServers',
    shape: 'plain',
    // The model gets the text: https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1411.
    structured: 'never',
    isTerminalProgram: false,
    files: everywhere(home('.codeium', 'windsurf', 'mcp_config.json')),
    next: 'Refresh the MCP servers in Cascade, or restart Windsurf.',
  },
  // https://geminicli.com/docs/tools/mcp-server, https://geminicli.com/docs/reference/configuration
  {
    name: 'gemini-cli',
    title: 'Gemini CLI',
    format: 'jsonc',
    key: 'mcpServers',
    shape: 'plain',
    // The model gets the content blocks: https://github.com/google-gemini/gemini-cli/pull/5529.
    structured: 'never',
    isTerminalProgram: true,
    files: everywhere(
      { base: 'home', path: ['.gemini', 'settings.json'], variable: 'GEMINI_CLI_HOME' },
      home('.gemini', 'settings.json'),
    ),
    projectFiles: [project('.gemini', 'settings.json')],
    next: 'Restart Gemini CLI; "/mcp" there lists the server.',
  },
  // https://zed.dev/docs/ai/mcp, https://zed.dev/docs/configuring-zed
  {
    name: 'zed',
    title: 'Zed',
    format: 'jsonc',
    key: 'context_servers',
    shape: 'plain',
    structured: 'never',
    isTerminalProgram: false,
    files: {
      linux: [config('zed', 'settings.json')],
      darwin: [home('.config', 'zed', 'settings.json')],
      win32: [{ base: 'roaming', path: ['Zed', 'settings.json'] }],
    },
    projectFiles: [project('.zed', 'settings.json')],
    next: 'Zed starts the server by itself; its agent settings show whether it runs.',
  },
  // https://opencode.ai/docs/mcp-servers, https://opencode.ai/docs/config
  {
    name: 'opencode',
    title: 'opencode',
    format: 'jsonc',
    key: 'mcp',
    shape: 'one-list',
    // The model gets the text, or both: https://github.com/anomalyco/opencode/pull/34505, https://github.com/anomalyco/opencode/pull/43123.
    structured: 'never',
    // OpenCode 2 moved the servers, and still reads the old place; 1.x refuses the new one: https://opencode.ai/v2/docs/migrate-v1.
    nestedKey: 'servers',
    isTerminalProgram: true,
    files: everywhere(config('opencode', 'opencode.json'), config('opencode', 'opencode.jsonc')),
    projectFiles: [project('opencode.json'), project('opencode.jsonc')],
    next: 'Restart opencode.',
  },
] as const satisfies readonly McpClient[];

export const MCP_CLIENT_NAMES = MCP_CLIENTS.map(({ name }) => name);
export type McpClientName = (typeof MCP_CLIENTS)[number]['name'];

export function mcpClient(name: McpClientName): McpClient {
  const found = MCP_CLIENTS.find((client) => client.name === name);
  if (found === undefined) throw new Error(`There is no client ${name}.`);
  return found;
}
