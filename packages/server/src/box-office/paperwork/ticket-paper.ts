import { nameOfSeat, type Reservation, type SaleEvent, spellShortCode } from '@seatwise/domain'
import type { Eticket } from '@seatwise/ledger'
import { formatMoney, type Language, WORDS } from '@seatwise/web'
import type { SigningKeys } from '../../identity/index.ts'
import { issueEticketCode } from '../etickets/eticket-code.ts'
import type { Block, Paper } from './press/paper.ts'
import { tellTime } from './receipt-paper.ts'

/** 8.5 cm: each square of the code is about a millimetre, which telephones read from paper. */
const CODE_SIDE = 240

export interface TicketFacts {
  readonly reservation: Reservation
  readonly event: SaleEvent
  /** At least one, none of them void. */
  readonly etickets: readonly Eticket[]
}

/** E-tickets to print, one on each page. */
export function composeTickets(language: Language, keys: SigningKeys, facts: TicketFacts): Paper {
  const { event, etickets, reservation } = facts
  return {
    title: `${WORDS[language].paper.eticket} · ${event.name}`,
    language,
    author: event.name,
    createdAt: (reservation.paidAt ?? reservation.createdAt).toISOString(),
    sheets: etickets.map((eticket) => sheet(language, facts, eticket, issueEticketCode(keys, eticket))),
  }
}

function sheet(language: Language, { reservation, event }: TicketFacts, eticket: Eticket, code: string): Block[] {
  const words = WORDS[language].paper
  const { eventName, location, startsAt, timeZone, row, number, holder, checkedInAt } = eticket
  const item = reservation.items.find(({ seatId }) => seatId === eticket.seatId)
  const type = event.seatTypes.find(({ id }) => id === item?.seatTypeId)
  const variant = type?.variants.find(({ id }) => id === item?.variantId) ?? null
  const price =
    item === undefined ? [] : [[words.price, formatMoney(language, item.price, reservation.currency)] as const]
  return [
    { kind: 'text', text: words.eticket, style: 'quiet' },
    { kind: 'heading', text: eventName },
    ...(startsAt === null ? [] : [{ kind: 'text' as const, text: tellTime(language, startsAt, timeZone) }]),
    ...(location === '' ? [] : [{ kind: 'text' as const, text: location }]),
    { kind: 'gap' },
    {
      kind: 'facts',
      rows: [
        [words.category, nameOfSeat(eticket.seatTypeName, variant)],
        ...(row === null ? [] : [[words.row, row] as const, [words.seat, String(number)] as const]),
        ...(holder === null ? [] : [[WORDS[language].ask.holder, holder] as const]),
        ...price,
        [WORDS[language].door.code, spellShortCode(eticket.shortCode)],
        [words.code, eticket.id],
      ],
    },
    { kind: 'gap' },
    { kind: 'code', content: code, side: CODE_SIDE },
    { kind: 'text', text: checkedInAt === null ? words.atTheDoor : words.used, style: 'strong' },
  ]
}
