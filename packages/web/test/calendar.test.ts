import type { SaleEvent } from '@seatwise/domain'
import { expect, it } from 'vitest'
import { saleCalendar, showCalendar } from '../src/pages/calendar.ts'

it('[W26] a calendar file has one event, no line over 75 bytes, and nothing that a name could break', () => {
  const name = `Nhạc sống\nEND:VEVENT; tối, \\ ${'đ'.repeat(120)}`
  const times = { startsAt: null, salesStartAt: new Date('2027-01-02T03:04:05Z'), updatedAt: new Date(0) }
  const event = { id: 'e1', name, location: '', timeZone: 'UTC', ...times } as SaleEvent
  const file = saleCalendar('vi', event, 'https://example.com/events/e1')
  const lines = file.split('\r\n')
  expect(lines.filter((line) => line === 'END:VEVENT')).toHaveLength(1)
  expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
  expect(lines).toContain('DTSTART:20270102T030405Z')
  const unfolded = file.replaceAll('\r\n ', '')
  expect(unfolded).toContain('SUMMARY:Mở bán vé: Nhạc sống\\nEND:VEVENT\\; tối\\, \\\\ đđ')
})

it('[W38] a calendar file is by the clock at the venue, and tells its zone to calendars that do not know it', () => {
  const times = {
    startsAt: new Date('2027-03-28T17:30:00Z'),
    salesStartAt: new Date('2026-11-20T09:00:00Z'),
    updatedAt: new Date(0),
  }
  const event = { id: 'e1', name: 'Aurora', location: 'Berlin', timeZone: 'Europe/Berlin', ...times } as SaleEvent
  const sale = saleCalendar('en', event, 'https://example.com/events/e1').split('\r\n')
  expect(sale).toContain('DTSTART;TZID=Europe/Berlin:20261120T100000')
  expect(sale.join('')).toContain('7:30')
  // The change before it: in October clocks were put back by an hour.
  const zone = sale.slice(sale.indexOf('BEGIN:VTIMEZONE'), sale.indexOf('END:VTIMEZONE'))
  expect(zone).toEqual([
    ...['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin', 'BEGIN:STANDARD', 'DTSTART:20261025T030000'],
    ...['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'END:STANDARD'],
  ])
  const show = { ...event, startsAt: times.startsAt, endsAt: null }
  const lines = showCalendar(show, 'https://example.com/events/e1').split('\r\n')
  expect(lines).toContain('DTSTART;TZID=Europe/Berlin:20270328T193000')
  // Since that morning it is summer.
  expect(lines).toEqual(expect.arrayContaining(['BEGIN:DAYLIGHT', 'DTSTART:20270328T020000', 'TZOFFSETTO:+0200']))
  const hanoi = showCalendar({ ...show, timeZone: 'Asia/Ho_Chi_Minh', startsAt: new Date('2027-03-28T12:30:00Z') }, 'u')
  expect(hanoi.split('\r\n')).toEqual(
    expect.arrayContaining(['DTSTART;TZID=Asia/Ho_Chi_Minh:20270328T193000', 'TZOFFSETTO:+0700']),
  )
})
