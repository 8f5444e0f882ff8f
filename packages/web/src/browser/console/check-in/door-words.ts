import type { CheckInData } from '../../../pages/console/data.ts'
import { page, tell, words } from '../kit/page.ts'
import type { SeatName } from './door-desk.ts'

export const data = page as CheckInData
export const entrance: CheckInData['entrance'] = data.entrance

export function nameSeat({ type, row, number }: SeatName): string {
  return row === null || number === null ? type : tell(words.reservations.rowSeat, { type, row, seat: String(number) })
}

export function nameHolder(seat: SeatName, holder: string | null): string {
  return holder === null ? nameSeat(seat) : `${nameSeat(seat)} · ${holder}`
}
