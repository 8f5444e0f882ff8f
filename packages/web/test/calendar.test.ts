import type { SaleEvent } from '@seatwise/domain'
import { expect, it } from 'vitest'
import { saleCalendar } from '../src/pages/calendar.ts'

it('[W26] a calendar file has one event, no line over 75 bytes, and nothing that a name could break', () => {
  const name = `Nhạc sống\nEND:VEVENT; tối, \\ ${'đ'.repeat(120)}`
  const event = { id: 'e1', name, salesStartAt: new Date('2027-01-02T03:04:05Z'), updatedAt: new Date(0) } as SaleEvent
  const file = saleCalendar('vi', event, 'https://example.com/events/e1')
  const lines = file.split('\r\n')
  expect(lines.filter((line) => line === 'END:VEVENT')).toHaveLength(1)
  expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
  expect(lines).toContain('DTSTART:20270102T030405Z')
  const unfolded = file.replaceAll('\r\n ', '')
  expect(unfolded).toContain('SUMMARY:Mở bán vé: Nhạc sống\\nEND:VEVENT\\; tối\\, \\\\ đđ')
})
