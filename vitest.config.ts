import { defineConfig } from 'vitest/config'
import { fastTemporaryFolder } from './tests/order/fast-temporary-folder.ts'
import { LongestFirst } from './tests/order/longest-first.ts'

const isLong = process.env.SEATWISE_LONG === '1'
/** They measure what their own process spends, which the files before them in it would change. */
const measuring = [
  'packages/server/test/http/http-limits.test.ts',
  'packages/server/test/box-office/events/events-bad-input.test.ts',
]
const exclude = ['**/node_modules/**', '**/fixtures/**', ...(isLong ? [] : ['**/*.long.test.ts'])]

// Inherited by everything that tests start.
process.env.TMPDIR ??= fastTemporaryFolder()

export default defineConfig({
  test: {
    projects: [
      // One process after the other for files that start programs, kill them, and count what is left.
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['tests/**/*.test.ts', 'packages/cli/test/**/*.test.ts', ...measuring],
          exclude,
        },
      },
      // One process for many files: loading the product and making it fast took a fifth of their time. What a file leaves
      // open is still found at its own end.
      {
        extends: true,
        test: {
          name: 'together',
          include: ['packages/*/test/**/*.test.ts'],
          exclude: [...exclude, 'packages/cli/**', ...measuring],
          isolate: false,
          setupFiles: ['tests/support/src/stores/keep-ledger-compiled.ts'],
        },
      },
    ],
    globalSetup: ['tests/support/src/global-setup.ts'],
    setupFiles: ['tests/support/src/compile-cache.ts', 'tests/support/src/file-setup.ts'],
    pool: 'forks',
    // Only what is hot in PGlite is compiled a second time, better: no file lives long enough to repay the rest. And what
    // loading them leaves behind is collected less often.
    execArgv: ['--wasm-tiering-budget=1000000000', '--min-semi-space-size=16'],
    // Four at once, also on two cores: most of them wait for stores and servers that they start.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst, setupFiles: 'list' },
    testTimeout: isLong ? 600_000 : 60_000,
    hookTimeout: 60_000,
  },
})
