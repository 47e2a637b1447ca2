import { z } from 'zod';

/** The largest file of MCP servers that is read. */
export const LARGEST_SERVER_FILE_BYTES = 256 * 1024;
/** The most servers of one file. */
export const MOST_SERVERS = 32;

/** Also the first part of the names of its tools. `__` separates the two. */
export const SERVER_NAME = /^(?!.*__)[A-Za-z0-9](?:[A-Za-z0-9_-]{0,30}[A-Za-z0-9])?$/;

/** Set for every server that we start: a Deskterity that is one of them offers no other servers, or it would offer itself without end. */
export const STARTED_AS_SERVER = 'STARTED_BY_DESKTERITY';

const Text = z.string().max(8192);
const Texts = z.record(z.string().max(256), z.union([Text, z.number(), z.boolean()]).transform(String));

/** What every server may have. */
const common = {
  description: Text.optional(),
  enabled: z.boolean().optional(),
  disabled: z.boolean().optional(),
  timeout_ms: z.int().min(1000).max(3_600_000).optional(),
};

/** A server that is a program, as in the files of other clients. */
export const ProgramEntry = z.object({
  ...common,
  type: z.literal('stdio').optional(),
  command: Text.min(1),
  args: z.array(Text).max(256).optional(),
  env: Texts.optional(),
  cwd: Text.optional(),
});

/** A server that is reached over HTTP. */
export const WebEntry = z.object({
  ...common,
  type: z.enum(['http', 'streamable-http', 'streamableHttp', 'sse']).optional(),
  url: Text.min(1),
  headers: Texts.optional(),
  client_id: Text.optional(),
  client_secret: Text.optional(),
  /** The names of S1; the same as `client_id` and `client_secret`. */
  atlassian_client_id: Text.optional(),
  atlassian_client_secret: Text.optional(),
  scopes: z.union([Text, z.array(Text).max(64)]).optional(),
  redirect_port: z.int().min(1).max(65_535).optional(),
});

export type ProgramEntry = z.output<typeof ProgramEntry>;
export type WebEntry = z.output<typeof WebEntry>;

/** The keys of each kind of server. */
export const SERVER_KEYS = {
  program: Object.keys(ProgramEntry.shape),
  web: Object.keys(WebEntry.shape),
} as const;
