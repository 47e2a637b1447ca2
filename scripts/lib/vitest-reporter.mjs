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
      const durationMs = Math.round(test.diagnostic()?.duration ?? 0);
      const site = siteOf(file, test);
      this.#write({
        file,
        name: test.fullName,
        site,
        state,
        durationMs,
        note: result.note,
        isSecondTry,
        errors,
      });
    }
    // A file that could not be loaded, or a hook that failed, has errors but no tests.
    for (const suite of [module, ...module.children.allSuites()]) {
      const name = suite === module ? '(the file itself)' : `(the hooks of ${suite.fullName})`;
      const errors = messages(suite.errors());
      if (errors.length > 0) this.#write({ file, name, state: 'failed', errors });
    }
  }

  onTestRunEnd(_modules, unhandledErrors) {
    this.#write({ end: true, errors: messages(unhandledErrors) });
  }

  #write(row) {
    appendFileSync(this.#file, `${JSON.stringify(row)}\n`);
  }
}

/** The position of the `it(...)`. Vitest reports none for a test that a helper in another file defines; then its name is used. */
function siteOf(file, test) {
  const { location } = test;
  return location === undefined ? test.name : `${file}:${location.line}:${location.column}`;
}

function messages(errors) {
  return (errors ?? []).map((error) => String(error.message ?? error).split('\n')[0]);
}
