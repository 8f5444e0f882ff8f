import { readPdf, waitUntil } from '@seatwise/testbench'
import { afterEach, expect, it } from 'vitest'
import type { Block, Paper } from '../../../src/box-office/paperwork/press/paper.ts'
import { Press, type PressOptions } from '../../../src/box-office/paperwork/press/press.ts'

const presses: Press[] = []
afterEach(async () => {
  for (const press of presses.splice(0)) await press.close()
})

function open(options?: PressOptions): Press {
  const press = new Press(options)
  presses.push(press)
  return press
}

const paperOf = (...blocks: Block[]): Paper => ({
  ...{ title: 'A paper', language: 'en', author: 'The house', createdAt: '2026-11-18T10:00:00.000Z' },
  sheets: [blocks],
})

it('[B159] while papers are drawn the event loop goes on, and too many at once are refused with a time to retry', async () => {
  const press = open({ waitingMax: 3 })
  let turns = 0
  const ticking = setInterval(() => {
    turns += 1
  }, 1)
  const columns = [{ label: 'Day', align: 'left' as const, width: 1 }]
  const rows = Array.from({ length: 2_000 }, (_, index) => [`Line ${index}`])
  const long = press.print(paperOf({ kind: 'table', columns, rows, sums: [['Sum']] }))
  const others = Array.from({ length: 3 }, (_, index) => press.print(paperOf({ kind: 'text', text: `Paper ${index}` })))
  await expect(press.print(paperOf())).rejects.toMatchObject({ code: 'OVERLOADED', status: 503, retryAfterSeconds: 2 })
  expect(() => press.refuseCrowd()).toThrow()
  const pages = await readPdf(await long)
  clearInterval(ticking)
  expect(turns).toBeGreaterThan(20)
  expect(pages.length).toBeGreaterThan(10)
  // Every page begins with the heading of the table, and no line is lost.
  expect(pages.every((page) => page.trim().startsWith('Day'))).toBe(true)
  expect(pages.join('').match(/Line \d+/g)).toEqual(rows.flat())
  const texts = await Promise.all(others.map(async (other) => (await readPdf(await other)).join('').trim()))
  expect(texts).toEqual(['Paper 0', 'Paper 1', 'Paper 2'])
  expect(press.pending).toBe(0)
})

it('[B159] a paper that cannot be drawn fails alone, and an idle thread ends', async () => {
  const press = open({ idleMs: 1 })
  const broken = press.print(paperOf({ kind: 'code', content: 'x'.repeat(10_000), side: 100 }))
  const next = press.print(paperOf({ kind: 'text', text: 'Still there' }))
  await expect(broken).rejects.toThrow('A document could not be drawn')
  expect((await readPdf(await next)).join('')).toContain('Still there')
  await waitUntil('the thread has ended', () => press.isIdle)
  expect((await readPdf(await press.print(paperOf({ kind: 'text', text: 'Again' })))).join('')).toContain('Again')
})

it('[B159] closing answers those who wait', async () => {
  const press = open()
  const waiting = [press.print(paperOf()), press.print(paperOf())].map((paper) =>
    paper.catch((error: unknown) => error),
  )
  await press.close()
  for (const refused of await Promise.all(waiting)) expect(refused).toMatchObject({ code: 'UNAVAILABLE' })
})

it('[B161] names in Vietnamese, Korean, Greek and Cyrillic print as they are, composed or not; what no font has is a question mark', async () => {
  const names = ['Nguyễn Thị Hồng Đặng', '김민수 뷁', 'Ελένη', 'Юлия Щербакова', 'Dvořák Łódź Åse', '₫₩€−·']
  const decomposed = ['Phạm Thị Lựu', '이하늘'].map((name) => name.normalize('NFD'))
  const text = [...names, ...decomposed, 'emoji 🎉 漢'].join('\n')
  const long = `${'đ'.repeat(300)} end`
  const press = open()
  const [page = ''] = await readPdf(
    await press.print(
      paperOf(
        { kind: 'heading', text },
        { kind: 'text', text },
        { kind: 'facts', rows: [['Long', long]] },
        {
          kind: 'text',
          text: 'a\u202eb\tc\u0000d',
        },
      ),
    ),
  )
  for (const name of [...names, 'Phạm Thị Lựu', '이하늘', 'emoji ? ?']) expect(page.split(name)).toHaveLength(3)
  expect(page.match(/đ/g)).toHaveLength(300)
  expect(page).toContain('ab c d')
})
