/**
 * Holds @trycua/cua-driver in one process and passes calls on to it: one JSON object `{id, tool, args}` a line, answered by `{id, ms, result}` or
 * `{id, error}`; `ms` is the time of the call inside this process. Usage: node cua_driver.mjs FOLDER_OF_THE_PACKAGE
 */
import { createInterface } from 'node:readline';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const { CuaDriver } = await import(pathToFileURL(path.join(process.argv[2], 'dist', 'index.js')).href);
// Its result is one JSON text; without options it acts in this process, with no daemon.
const driver = CuaDriver.create(undefined);
process.stdout.write('ready\n');

for await (const line of createInterface({ input: process.stdin })) {
  const { id, tool, args } = JSON.parse(line);
  const began = performance.now();
  try {
    const result = await driver.callTool(tool, JSON.stringify(args));
    const ms = performance.now() - began;
    const { isError = false, structuredJson } = result;
    const text = result.text ?? '';
    process.stdout.write(
      `${JSON.stringify({ id, ms, result: { isError, text, structured: structuredJson ? JSON.parse(structuredJson) : null } })}\n`,
    );
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ id, error: String(error?.message ?? error) })}\n`);
  }
}
await driver.shutdown();
process.exit(0);
