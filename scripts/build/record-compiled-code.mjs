/** Runs the daemon of a build, lets an MCP client use it, and writes what V8 compiled. Argument: the folder of the build. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const LISTENING = '{"ready":true}';
const folder = process.argv[2];
process.argv[2] = 'mcp';
const { loadProgram, scripts, compiledFolder, MADE_BY, thisNode } = createRequire(
  path.join(folder, 'desk.cjs'),
)('./load-program.cjs');

process.once('exit', () => {
  mkdirSync(compiledFolder, { recursive: true });
  for (const [name, script] of scripts)
    writeFileSync(path.join(compiledFolder, `${name}.bin`), script.createCachedData());
  writeFileSync(path.join(compiledFolder, MADE_BY), thisNode());
});
const write = process.stderr.write.bind(process.stderr);
process.stderr.write = (text, ...others) => {
  if (String(text).startsWith(LISTENING)) useIt();
  return write(text, ...others);
};
loadProgram(path.join(folder, 'daemon-program.cjs'));

function useIt() {
  const client = spawn(process.execPath, [path.join(folder, 'desk.cjs'), 'mcp'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ask = (message) => client.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'build', version: '1' };
  ask({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  });
  ask({ method: 'notifications/initialized' });
  ask({ id: 2, method: 'tools/list' });
  let answers = '';
  client.stdout.setEncoding('utf8').on('data', (text) => {
    answers += text;
    if (answers.split('\n').length > 2) client.stdin.end();
  });
  client.once('close', () => process.kill(process.pid, 'SIGTERM'));
}
