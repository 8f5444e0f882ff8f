import type { Eticket } from '@seatwise/ledger'
import type { SigningKeys } from '../../identity/index.ts'
import { issueEticketCode } from './eticket-code.ts'

export type EticketStatus = 'VALID' | 'USED' | 'VOID'

/** An e-ticket on the wire. */
export interface EticketView {
  readonly id: string
  readonly reservationId: string
  readonly eventId: string
  readonly seatId: string
  readonly status: EticketStatus
  /**
   * The content of its QR code; null when the e-ticket is void, because a code that admits no one is never signed, and for
   * every viewer but its holder.
   */
  readonly code: string | null
  /** What is typed at the door where the code cannot be scanned; null with the code. */
  readonly shortCode: string | null
  readonly event: {
    readonly name: string
    readonly location: string
    readonly timeZone: string
    readonly startsAt: string | null
    readonly endsAt: string | null
  }
  readonly seat: { readonly type: string; readonly row: string | null; readonly number: number | null }
  /** The name that the buyer gave for this ticket. */
  readonly holder: string | null
  readonly checkedInAt: string | null
}

/** `viewerId` is who sees it, the buyer unless it is said: what a buyer transferred is shown without its code. */
export function describeEticket(keys: SigningKeys, eticket: Eticket, viewerId: string = eticket.buyerId): EticketView {
  const { id, reservationId, eventId, seatId, seatTypeName, row, number } = eticket
  const isShown = !eticket.isVoid && eticket.holderId === viewerId
  return {
    ...{ id, reservationId, eventId, seatId, status: statusOf(eticket) },
    code: isShown ? issueEticketCode(keys, eticket) : null,
    shortCode: isShown ? eticket.shortCode : null,
    event: describeEvent(eticket),
    seat: { type: seatTypeName, row, number },
    holder: eticket.holder,
    checkedInAt: eticket.checkedInAt?.toISOString() ?? null,
  }
}

function describeEvent({ eventName: name, location, timeZone, startsAt, endsAt }: Eticket): EticketView['event'] {
  const times = { startsAt: startsAt?.toISOString() ?? null, endsAt: endsAt?.toISOString() ?? null }
  return { name, location, timeZone, ...times }
}

function statusOf({ isVoid, checkedInAt }: Eticket): EticketStatus {
  if (isVoid) return 'VOID'
  return checkedInAt === null ? 'VALID' : 'USED'
}
