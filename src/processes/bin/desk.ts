#!/usr/bin/env node
import { refusal } from './node-version.ts';

const reason = refusal(process.versions.node);
if (reason === undefined) {
  // Loaded only now: an older Node could not even read it.
  void import('./run.ts').then(({ run }) => run());
} else {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 11;
}
