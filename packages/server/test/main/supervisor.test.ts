import { join } from 'node:path'
import { removeFolder, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Supervisor } from '../../src/main/workers/supervisor.ts'

const WORKER = join(import.meta.dirname, 'fixtures/failing-worker.mjs')

interface Line {
  readonly msg: string
  readonly process?: number
  readonly pauseMs?: number
}

let folder: string
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => removeFolder(folder))

function supervise(count: number): { supervisor: Supervisor; lines: Line[]; failures: Error[] } {
  const lines: Line[] = []
  const failures: Error[] = []
  const log = pino({}, { write: (text: string) => void lines.push(JSON.parse(text)) })
  const command = (worker: number) => ({ file: WORKER, args: [join(folder, `worker-${worker}`)] })
  const supervisor = new Supervisor({ count, command, log, onFailure: (error) => failures.push(error) })
  return { supervisor, lines, failures }
}

it('[O62] replaces a worker at once, then after growing pauses; while none serves, five failures are the end', async () => {
  const { supervisor, lines, failures } = supervise(1)
  await supervisor.start()
  process.kill(lines.find(({ msg }) => msg === 'worker serves')?.process ?? 0, 'SIGKILL')
  await waitUntil('it gives up', () => failures.length > 0, { timeoutMs: 30_000 })
  expect(failures.map(({ message }) => message)).toEqual(['No worker serves, and worker 1 failed 5 times in a row'])
  const pauses = lines.filter(({ msg }) => msg === 'a worker ended and is replaced').map(({ pauseMs }) => pauseMs)
  expect(pauses).toEqual([0, 400, 800, 1_600])
})

it('[O62] goes on trying while another worker serves', async () => {
  const { supervisor, lines, failures } = supervise(2)
  await supervisor.start()
  process.kill(lines.find(({ msg }) => msg === 'worker serves')?.process ?? 0, 'SIGKILL')
  const tries = () => lines.filter(({ msg }) => msg === 'a worker could not be replaced, trying again').length
  await waitUntil('it has tried often', () => tries() >= 5, { timeoutMs: 30_000 })
  expect(failures).toEqual([])
  supervisor.kill()
  await supervisor.stop(0)
})

it('[O62] a worker that never served makes the start fail', async () => {
  const { supervisor } = supervise(1)
  const again = supervise(1).supervisor
  await supervisor.start()
  await expect(again.start()).rejects.toThrow('Worker 1 ended with 3 before it served')
  supervisor.kill()
  await supervisor.stop(0)
})
