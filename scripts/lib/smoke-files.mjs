/**
 * The test files that other Node lines run, by name, in any folder: those that depend on Node itself (start-up, processes, sockets, streams, workers,
 * native code, files, zlib, encodings, Unicode tables). The rest test our own logic, which is the same on every line.
 */
export const SMOKE_FILES = [
  // The built program: start, signals, help; its daemon; MCP over HTTP.
  'desk.test.ts',
  'mcp-http.test.ts',
  // The built holder with its worker, native calls and pseudo-terminals.
  'operations-holder.test.ts',
  'terminals-attach.test.ts',
  // Sockets and streams, split, slow or hostile; HTTP servers.
  'daemon-protocol.test.ts',
  'holder-protocol.test.ts',
  'holder-connection.test.ts',
  'connect.test.ts',
  'frame-reader.test.ts',
  'serve-lines.test.ts',
  // Processes and workers.
  'is-alive.test.ts',
  'run.test.ts',
  'spawner.test.ts',
  'worker-pool.test.ts',
  // Files: locks, rights, watching.
  'files.test.ts',
  'folders.test.ts',
  'log-rotation.test.ts',
  'make-folder.test.ts',
  'session-store.test.ts',
  // zlib, encodings, Unicode tables, clocks.
  'png.test.ts',
  'jpeg.test.ts',
  'clean-output.test.ts',
  'keysyms.test.ts',
  'text-bytes.test.ts',
  'untrusted-text.test.ts',
  // The library.
  'desktop.test.ts',
];
