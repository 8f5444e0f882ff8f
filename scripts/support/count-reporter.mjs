import { writeFileSync } from 'node:fs'

/** A Vitest reporter that leaves the counts where `npm test` reads them. A file that does not load counts as one failure. */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length }
    for (const module of modules) {
      counts.failed += module.errors().length
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') counts.passed += 1
        if (state === 'failed') counts.failed += 1
      }
    }
    const countsFile = process.env.TEST_COUNTS_FILE
    if (countsFile) writeFileSync(countsFile, JSON.stringify(counts))
  }
}
