import fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { sendTable } from '../../src/kit/csv.ts'

const CELLS = ['=1+1', '+1', '-2', '@sum', '\tx', '\rx', '\nx', '=', '-', "'quoted", ' =x', 'a=b', '', '1-2']
const AT = new Date('2026-07-15T12:30:00Z')

const app = fastify()
app.get<{ Params: { area: string; place: string } }>('/table/:area/:place', (request, reply) => {
  async function* pages() {
    yield CELLS.map((cell) => ({ cell, at: AT, count: -5 }))
  }
  const { area, place } = request.params
  return sendTable(reply, { name: 'table', timeZone: `${area}/${place}`, pages: pages() })
})
app.get('/money', (_request, reply) => {
  async function* pages() {
    const amounts = [
      [9_050, 'EUR'],
      [-5, 'EUR'],
      [45_000, 'KRW'],
      [1_234, 'KWD'],
      [null, 'EUR'],
    ] as const
    yield amounts.map(([amount, currency]) => ({ amount, currency, seats: 2 }))
  }
  return sendTable(reply, { name: 'money', timeZone: 'UTC', pages: pages(), money: ['amount'] })
})
afterAll(() => app.close())

/** Reads CSV as RFC 4180 says, as a spreadsheet does. */
function readTable(text: string): string[][] {
  const fields = [...text.matchAll(/("(?:[^"]|"")*"|[^,\r\n"]*)(,|\r\n)/g)]
  const lines: string[][] = [[]]
  for (const [, field = '', end] of fields) {
    lines.at(-1)?.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)
    if (end === '\r\n') lines.push([])
  }
  return lines.slice(0, -1)
}

it('[W66] no cell of text begins as a formula does: = + - @ tab, return or line feed', async () => {
  const { body } = await app.inject('/table/Etc/UTC')
  const [, ...rows] = readTable(body)
  expect(rows.map(([cell]) => cell)).toEqual(CELLS.map((cell) => (/^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell)))
  // A number of ours stays a number.
  expect(rows.every(([, , count]) => count === '-5')).toBe(true)
})

it('[W246] money in a table is in units that people read, as many decimals as the currency has, and adds up', async () => {
  const { body } = await app.inject('/money')
  const [names, ...rows] = readTable(body)
  expect(names).toEqual(['\uFEFFamount', 'currency', 'seats'])
  expect(rows).toEqual([
    ['90.50', 'EUR', '2'],
    ['-0.05', 'EUR', '2'],
    ['45000', 'KRW', '2'],
    ['1.234', 'KWD', '2'],
    ['', 'EUR', '2'],
  ])
})

it('[W38] times in a table are by the clock at the venue, with its offset', async () => {
  const times = async (zone: string) => readTable((await app.inject(`/table/${zone}`)).body)[1]?.[1]
  expect(await times('Asia/Ho_Chi_Minh')).toBe('2026-07-15T19:30:00.000+07:00')
  expect(await times('America/St_Johns')).toBe('2026-07-15T10:00:00.000-02:30')
  expect(await times('Etc/UTC')).toBe('2026-07-15T12:30:00.000Z')
})
