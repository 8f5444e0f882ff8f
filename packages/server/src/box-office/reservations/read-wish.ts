import { badField } from '@seatwise/domain'
import type { Static } from 'typebox'
import type { Wish } from '../seat-map/seat-map-copy.ts'
import type { WishBody } from './schemas.ts'

/** The wish in canonical form: the same wish always has the same fingerprint. */
export function readWish({ seatIds, seatTypeId, quantity, accessible }: Static<typeof WishBody>): Wish {
  if (seatIds !== undefined) {
    if (seatTypeId !== undefined || quantity !== undefined || accessible !== undefined) {
      throw badField('seatIds', 'must stand alone, without seatTypeId, quantity and accessible')
    }
    const ids = seatIds.map((id) => id.toLowerCase())
    return { seatIds: ids.length === 1 ? ids : [...new Set(ids)].sort() }
  }
  if (seatTypeId === undefined || quantity === undefined) {
    throw badField('seatIds', 'is missing; send seatIds, or seatTypeId and quantity')
  }
  return { seatTypeId: seatTypeId.toLowerCase(), quantity, accessible: accessible === true }
}
