import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantOfWall, isoInZone, isTimeZone, offsetMs, wallTime } from '../../src/event/time-zone.ts'

const ZONES = [
  'UTC',
  'Asia/Ho_Chi_Minh',
  'Europe/Berlin',
  'Pacific/Auckland',
  'America/St_Johns',
  'Australia/Lord_Howe',
]
const minute = fc.integer({ min: 0, max: 50_000_000 }).map((minutes) => minutes * 60_000)

describe('clocks on the wall', () => {
  it('[E22] only names of the IANA database are time zones', () => {
    for (const zone of [...ZONES, 'Asia/Saigon', 'America/Argentina/Buenos_Aires', 'Etc/GMT+7']) {
      expect({ zone, is: isTimeZone(zone) }).toEqual({ zone, is: true })
    }
    const wrong = ['', ' ', 'Hà Nội', '+07:00', 'utc', 'asia/ho_chi_minh', 'Mars/Olympus', 'UTC\n', 'A'.repeat(65)]
    for (const zone of wrong) expect({ zone, is: isTimeZone(zone) }).toEqual({ zone, is: false })
  })

  it('[W82] what a clock shows at an instant is read as that instant, or as the first of two', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), minute, (zone, ms) => {
        const read = instantOfWall(zone, wallTime(zone, ms))
        if (read.status === 'never') throw new Error('A clock showed what it never shows')
        if (read.status === 'once') expect(read.ms).toBe(ms)
        else expect(read.ms).toBeLessThanOrEqual(ms)
        expect(wallTime(zone, read.ms)).toBe(wallTime(zone, ms))
        expect(Date.parse(isoInZone(zone, ms))).toBe(ms)
      }),
    )
  })

  it('[W82] a time that clocks skip is none, and one that they show twice is the first', () => {
    expect(instantOfWall('Europe/Berlin', '2027-03-28T02:30')).toEqual({ status: 'never' })
    expect(instantOfWall('Europe/Berlin', '2027-10-31T02:30')).toEqual({
      status: 'twice',
      ms: Date.parse('2027-10-31T00:30:00Z'),
    })
    expect(instantOfWall('Australia/Lord_Howe', '2027-10-03T02:15').status).toBe('never')
    expect(instantOfWall('Asia/Ho_Chi_Minh', '2027-03-28T02:30')).toEqual({
      status: 'once',
      ms: Date.parse('2027-03-27T19:30:00Z'),
    })
    expect(instantOfWall('UTC', 'nonsense')).toEqual({ status: 'never' })
    expect(offsetMs('Pacific/Auckland', Date.parse('2027-01-01T00:00:00Z'))).toBe(13 * 3_600_000)
  })
})
