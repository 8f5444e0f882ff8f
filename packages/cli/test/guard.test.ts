import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runSeatwise } from './run-seatwise.ts'

let folder: string
let file: string
beforeAll(async () => {
  folder = await temporaryFolder()
  file = join(folder, 'secret')
  await writeFile(file, `${Buffer.from('as long as it has to be, and a bit longer').toString('base64')}\n`)
})
afterAll(() => removeFolder(folder))

it('[G33] without a decision, a secret or a sensible option the guard does not start', async () => {
  const named = ['--room-url', 'https://queue.example.com', '--site', 'https://shop.example.com', '--secret-file', file]
  const wrong = [
    { args: [], says: '--secret-file is missing' },
    { args: ['--secret-file', join(folder, 'none')], says: 'cannot be read' },
    { args: named, says: '--fail must be open or closed' },
    { args: [...named, '--fail', 'open', '--room', 'x'], says: 'room must be the id of a room' },
    { args: [...named, '--force'], says: '--force' },
  ]
  const results = await Promise.all(wrong.map(({ args }) => runSeatwise(['guard', ...args])))
  for (const [index, { code, output }] of results.entries()) {
    expect([code, output]).toEqual([2, expect.stringContaining(wrong[index]?.says ?? '')])
  }
})
