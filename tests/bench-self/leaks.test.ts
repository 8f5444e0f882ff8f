import { join } from 'node:path'
import { startChild } from '@seatwise/testbench'
import { expect, test, vi } from 'vitest'

// Each fixture run starts stores of its own, and every leaking file takes its time to be sure.
vi.setConfig({ testTimeout: 120_000 })
const root = join(import.meta.dirname, '../..')

test('[T6, T7, T8] a file that leaks a connection, a handle or a process fails, and one that leaks nothing passes', async () => {
  const { code, output } = await runFixtures('file-leaks')
  expect(code).not.toBe(0)
  expect(failuresOf(output)).toEqual({
    ledger: expect.stringMatching(/handle (Worker|MessagePort)/),
    postgres: expect.stringContaining("connection to PostgreSQL, last query: select 'forgotten'"),
    process: expect.stringMatching(/process forgotten \(pid \d+\) still runs/),
    redis: expect.stringMatching(/to port \d+, opened .*\n[\s\S]*connection to Redis, last command: get/),
    socket: expect.stringContaining('handle TCPServerWrap, 1 more'),
    timer: expect.stringContaining('handle Timeout, 1 more'),
  })
  expect(output).toMatch(/7 passed/)
})

test('[T6, T8] a process that outlives its test file, or its connections, fail the run at its end', async () => {
  const { code, output } = await runFixtures('run-leaks')
  expect(code).not.toBe(0)
  expect(output).toContain('1 passed')
  expect(output).toMatch(/process survivor \(pid \d+\) still ran/)
  expect(output).toContain('connection to PostgreSQL by survivor')
  expect(output).toContain('connection to Redis by default')
})

async function runFixtures(folder: string): Promise<{ code: number | null; output: string }> {
  const child = await startChild(
    `vitest ${folder}`,
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--config', 'tests/bench-self/fixtures/vitest.config.ts', '--reporter=verbose', '--no-color'],
      `tests/bench-self/fixtures/${folder}`,
    ],
    { cwd: root },
  )
  const { code } = await child.exited
  return { code, output: child.output() }
}

/** The complaint about each failed file, by the file's short name. */
function failuresOf(output: string): Record<string, string> {
  const failures = output.split(/^ ?FAIL {1,2}/m).slice(1)
  return Object.fromEntries(
    failures.map((failure) => [/fixtures\/file-leaks\/(\w+)\.fixture/.exec(failure)?.[1] ?? failure, failure]),
  )
}
