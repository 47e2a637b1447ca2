import { createFolders } from '../../../src/platform/node/files.ts';

// Started by folders.test.ts: watches a folder and has nothing else to do.
createFolders().watch(process.argv[2] ?? '/', () => undefined);
process.stdout.write('watching\n');
