import type { Eticket } from '@seatwise/seats'
import type { SigningKeys } from '../keys/signing-keys.ts'
import { issueEticketCode } from './eticket-code.ts'

export type EticketStatus = 'VALID' | 'USED' | 'VOID'

/** An e-ticket on the wire. */
export interface EticketView {
  readonly id: string
  readonly reservationId: string
  readonly eventId: string
  readonly seatId: string
  readonly status: EticketStatus
  /** What its QR code says; null when it is void, so that nothing is signed that lets nobody in. */
  readonly code: string | null
  readonly event: { readonly name: string; readonly location: string; readonly startsAt: string | null }
  readonly seat: { readonly type: string; readonly row: string | null; readonly number: number | null }
  readonly checkedInAt: string | null
}

export function describeEticket(keys: SigningKeys, eticket: Eticket): EticketView {
  const { id, reservationId, eventId, seatId, eventName, location, startsAt, seatTypeName, row, number } = eticket
  return {
    ...{ id, reservationId, eventId, seatId, status: statusOf(eticket) },
    code: eticket.isVoid ? null : issueEticketCode(keys, eticket),
    event: { name: eventName, location, startsAt: startsAt?.toISOString() ?? null },
    seat: { type: seatTypeName, row, number },
    checkedInAt: eticket.checkedInAt?.toISOString() ?? null,
  }
}

function statusOf({ isVoid, checkedInAt }: Eticket): EticketStatus {
  if (isVoid) return 'VOID'
  return checkedInAt === null ? 'VALID' : 'USED'
}
