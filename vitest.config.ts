import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/order/longest-first.ts'

const isLong = process.env.SEATWISE_LONG === '1'

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/fixtures/**', ...(isLong ? [] : ['**/*.long.test.ts'])],
    globalSetup: ['tests/support/src/global-setup.ts'],
    setupFiles: ['tests/support/src/file-setup.ts'],
    // A process for each file: a leaked handle or connection then has one culprit.
    pool: 'forks',
    // PGlite is compiled once for each file that opens one, which rarely lives long enough to repay a second, better time.
    execArgv: ['--liftoff-only'],
    // Two at once, also on two cores: most of them wait for stores and servers that they start.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: isLong ? 600_000 : 60_000,
    hookTimeout: 60_000,
  },
})
