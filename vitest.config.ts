import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/order/longest-first.ts'

const isLong = process.env.SEATWISE_LONG === '1'

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/fixtures/**', ...(isLong ? [] : ['**/*.long.test.ts'])],
    globalSetup: ['tests/support/src/global-setup.ts'],
    setupFiles: ['tests/support/src/compile-cache.ts', 'tests/support/src/file-setup.ts'],
    // A process for each file: a leaked handle or connection then has one culprit.
    pool: 'forks',
    // Only what is hot in PGlite is compiled a second time, better: no file lives long enough to repay the rest. And what
    // loading them leaves behind is collected less often.
    execArgv: ['--wasm-tiering-budget=1000000000', '--min-semi-space-size=16'],
    // Three at once, also on two cores: most of them wait for stores and servers that they start.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst, setupFiles: 'list' },
    testTimeout: isLong ? 600_000 : 60_000,
    hookTimeout: 60_000,
  },
})
