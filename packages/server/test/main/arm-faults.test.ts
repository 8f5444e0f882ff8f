import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { faults } from '@seatwise/domain'
import { type Child, removeFolder, startChild, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { afterEach, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { armFaults } from '../../src/main/arm-faults.ts'

afterEach(() => faults.disarm())

test('[T15] a process can be made to crash at the n-th visit of a point', async () => {
  const child = await reachInChild('join.after-apply=crash@2', 'join.after-apply', 3)
  expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' })
  expect(child.output()).toBe('passed 1\n')
})

test('[T15] a process can be made to throw', async () => {
  const child = await reachInChild('join.before-apply=throw', 'join.before-apply', 1)
  expect(await child.exited).toEqual({ code: 1, signal: null })
  expect(child.output()).toContain('Fault point join.before-apply threw at visit 1')
})

test('[T15] a process can be made to wait at a point, and is released by removing a file', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'here')
  const child = await reachInChild(`admit.before-apply=wait:${file}@1`, 'admit.before-apply', 2)
  await waitUntil('the point is reached', () => existsSync(file) && readFileSync(file, 'utf8') === 'admit.before-apply')
  expect(child.output()).toBe('')
  rmSync(file)
  expect(await child.exited).toEqual({ code: 0, signal: null })
  expect(child.output()).toBe('passed 1\npassed 2\n')
  await removeFolder(folder)
})

test('[T15] several points can be armed at once, and a plan that means nothing is refused', () => {
  armFaults('join.before-apply=throw; leave.after-apply=crash@9')
  expect(faults.on).toBe(true)
  for (const plan of ['join=crash', 'join.before-apply', 'join.before-apply=explode', 'join.before-apply=wait']) {
    expect(() => armFaults(plan), plan).toThrow('SEATWISE_FAULTS')
  }
})

test('[T16] faults are refused unless the program was started as a test', () => {
  const plan = { SEATWISE_FAULTS: 'join.before-apply=crash' }
  for (const NODE_ENV of [undefined, 'production', 'development']) {
    expect(() => readConfig({ ...plan, NODE_ENV })).toThrow('SEATWISE_FAULTS is for tests only')
  }
  expect(readConfig({ ...plan, NODE_ENV: 'test' }).faults).toBe(plan.SEATWISE_FAULTS)
})

function reachInChild(plan: string, point: string, visits: number): Promise<Child> {
  const program = join(import.meta.dirname, 'fixtures', 'reach-fault-point.ts')
  return startChild('fault point', process.execPath, [program, plan, point, String(visits)])
}
