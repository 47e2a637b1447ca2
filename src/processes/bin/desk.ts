#!/usr/bin/env node
import { refusal } from './node-version.ts';

const reason = refusal(process.versions.node);
if (reason === undefined) {
  // Imported only now: an older Node could not parse it.
  void import('./run.ts').then(({ run }) => run());
} else {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 11;
}
