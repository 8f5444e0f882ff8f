import { expect, test } from 'vitest'
import { type Line, LineLost, type LogEntry, openMemoryLine, type RoomAt } from '../../src/index.ts'
import { joinRequest, testSettings, testState } from '../contract/test-room.ts'

test('[L34] a step is answered only after its entries are committed', async () => {
  const { line, at, commits } = await open()
  const joining = line.join(at, [joinRequest('ada')])
  expect(await isSettled(joining)).toBe(false)
  expect(commits.at(-1)?.entries.map(({ change }) => change.kind)).toEqual(['joined'])
  commits.at(-1)?.done()
  expect(await joining).toMatchObject([{ status: 'joined', number: 1 }])
})

test('[L34] neither a look nor the log tells what is not committed', async () => {
  const { line, at, commits } = await open()
  const joining = line.join(at, [joinRequest('ada')])
  const looking = line.look(at, [{ number: 1, identity: 'ada', generation: 1, heartbeat: false }])
  const reading = line.now(at)
  expect(await line.readLog(at, 1, { limit: 10, waitMs: 0 })).toEqual([])
  expect(await isSettled(looking)).toBe(false)
  expect(await isSettled(reading)).toBe(false)
  commits.at(-1)?.done()
  await Promise.all([joining, looking, reading])
  expect(await line.readLog(at, 1, { limit: 10, waitMs: 0 })).toHaveLength(1)
})

test('[L34] everything that is appended while a commit runs goes into the next, in order', async () => {
  const { line, at, commits } = await open()
  const joins = ['ada', 'bob', 'carol'].map((identity) => line.join(at, [joinRequest(identity)]))
  await turn()
  expect(commits).toHaveLength(2)
  commits[1]?.done()
  await turn()
  expect(commits[2]?.entries.map(({ seq }) => seq)).toEqual([3, 4])
  commits[2]?.done()
  await Promise.all(joins)
})

test('[L34] a failed commit fails its callers, and the same entries are retried after a pause', async () => {
  const { line, at, commits, pauses } = await open()
  const first = line.join(at, [joinRequest('ada')])
  await turn()
  const second = line.join(at, [joinRequest('bob')])
  commits[1]?.fail(new Error('The disk is full'))
  for (const joining of [first, second]) await expect(joining).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(pauses.map(({ ms }) => ms)).toEqual([50])
  // The caller repeats the step: it is the same ticket, answered when the retried commit is through.
  const again = line.join(at, [joinRequest('ada')])
  pauses[0]?.over()
  await turn()
  expect(commits[2]?.entries.map(({ seq, change }) => [seq, change.kind])).toEqual([
    [2, 'joined'],
    [3, 'joined'],
  ])
  commits[2]?.fail(new Error('The disk is still full'))
  await expect(again).rejects.toMatchObject({ code: 'UNAVAILABLE', cause: { message: 'The disk is still full' } })
  expect(pauses.map(({ ms }) => ms)).toEqual([50, 100])
  pauses[1]?.over()
  await turn()
  commits[3]?.done()
  await turn()
  expect(await line.join(at, [joinRequest('ada'), joinRequest('bob')])).toMatchObject([
    { status: 'present', number: 1 },
    { status: 'present', number: 2 },
  ])
  expect((await line.readLog(at, 0, { limit: 10, waitMs: 0 })).map(({ seq }) => seq)).toEqual([1, 2, 3])
})

test('[L34] a ledger that says the room is lost ends it', async () => {
  const { line, at, commits } = await open()
  const joining = line.join(at, [joinRequest('ada')])
  await turn()
  commits[1]?.fail(new LineLost(at.room, 'other-epoch'))
  await expect(joining).rejects.toMatchObject({ why: 'other-epoch' })
  await expect(line.join(at, [joinRequest('bob')])).rejects.toBeInstanceOf(LineLost)
  expect(commits).toHaveLength(2)
})

test('[L34] a room that is replaced under a newer epoch answers no caller of the old one', async () => {
  const { line, at, commits } = await open()
  const joining = line.join(at, [joinRequest('ada')])
  const reading = line.readLog(at, 1, { limit: 10, waitMs: 20_000 })
  await line.beginLoad(at.room, 2, { ...testState(), settings: testSettings() })
  const loading = line.finishLoad(at.room, 2)
  await expect(joining).rejects.toMatchObject({ why: 'other-epoch' })
  await expect(reading).rejects.toMatchObject({ why: 'other-epoch' })
  commits.at(-1)?.done()
  await loading
})

test('[L34] closing commits the remaining entries, and wakes readers of the log', async () => {
  const { line, at, commits } = await open()
  const reading = line.readLog(at, 1, { limit: 10, waitMs: 20_000 })
  const joining = line.join(at, [joinRequest('ada')])
  await turn()
  const closing = line.close()
  commits[1]?.done()
  await Promise.all([joining, closing])
  expect(await reading).toMatchObject([{ seq: 2 }])
  await expect(line.join(at, [joinRequest('bob')])).rejects.toThrow('closed')
})

test('[L34] closing after a failed commit tries once more', async () => {
  const { line, at, commits, pauses } = await open()
  const joining = line.join(at, [joinRequest('ada')])
  await turn()
  commits[1]?.fail(new Error('The disk is full'))
  await expect(joining).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  const closing = line.close()
  pauses[0]?.over()
  await turn()
  expect(commits[2]?.entries.map(({ seq }) => seq)).toEqual([2])
  commits[2]?.done()
  await closing
})

test('[L27] the clock of a room never goes back, whatever the machine’s does', async () => {
  let machine = 5_000
  const line = openMemoryLine({ clock: () => machine })
  await line.beginLoad('room', 1, { ...testState(), settings: testSettings() })
  await line.finishLoad('room', 1)
  const at = { room: 'room', epoch: 1, seenSeq: 0 }
  machine = 9_000
  await line.join(at, [joinRequest('ada')])
  machine = 1_000
  expect(await line.join(at, [joinRequest('bob')])).toMatchObject([{ now: 9_000, joinedAt: 9_000 }])
  machine = 9_001
  expect((await line.now(at)).now).toBe(9_001)
  await line.close()
})

interface PendingCommit {
  entries: readonly LogEntry[]
  done: () => void
  fail: (error: Error) => void
}

/** A room with commits and pauses that end when the test says so. */
async function open(): Promise<{
  line: Line
  at: RoomAt
  commits: PendingCommit[]
  pauses: { ms: number; over: () => void }[]
}> {
  const commits: PendingCommit[] = []
  const pauses: { ms: number; over: () => void }[] = []
  const line = openMemoryLine({
    clock: () => 1_000,
    commit: (_room, entries) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      commits.push({ entries, done: resolve, fail: reject })
      return promise
    },
    pause: (ms) => new Promise((resolve) => pauses.push({ ms, over: resolve })),
  })
  await line.beginLoad('room', 1, { ...testState(), settings: testSettings() })
  const loading = line.finishLoad('room', 1)
  await turn()
  commits[0]?.done()
  await loading
  return { line, at: { room: 'room', epoch: 1, seenSeq: 0 }, commits, pauses }
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending')
  await turn()
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending
}

/** Lets everything happen that needs no outside event. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
