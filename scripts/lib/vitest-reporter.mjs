import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes one JSON line per finished test to DESKTERITY_TEST_LOG, so that nothing is lost when a run is cut short. */
export default class LogReporter {
  #file = process.env.DESKTERITY_TEST_LOG;

  onInit() {
    writeFileSync(this.#file, '');
  }

  onTestModuleEnd(module) {
    const file = path.relative(process.cwd(), module.moduleId);
    for (const test of module.children.allTests()) {
      const result = test.result();
      const state = result.state === 'pending' ? 'skipped' : result.state;
      const isSecondTry = (test.diagnostic()?.retryCount ?? 0) > 0;
      const errors = messages(result.errors);
      this.#write({ file, name: test.fullName, state, note: result.note, isSecondTry, errors });
    }
    // A file that could not be loaded has errors of its own and no tests.
    for (const message of messages(module.errors())) {
      this.#write({ file, name: '(the file itself)', state: 'failed', errors: [message] });
    }
  }

  onTestRunEnd(_modules, unhandledErrors) {
    this.#write({ end: true, errors: messages(unhandledErrors) });
  }

  #write(row) {
    appendFileSync(this.#file, `${JSON.stringify(row)}\n`);
  }
}

function messages(errors) {
  return (errors ?? []).map((error) => String(error.message ?? error).split('\n')[0]);
}
