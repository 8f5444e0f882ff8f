import type { Reservation, SaleEvent } from '@seatwise/domain'
import type { Invitation } from '@seatwise/ledger'
import { formatMoney, type Language, say, tellMomentNamed, WORDS } from '@seatwise/web'
import type { EticketView } from '../../box-office/index.ts'
import { describeShow, type Letter, letter, localeOf, nameSeat } from './write-letters.ts'

/** To the address that an e-ticket is offered to. Who offers it is not said: only the holder of the address knows them. */
export function writeTransferLetter(language: Language, { event, seat }: EticketView, url: string): Letter {
  const words = WORDS[language].after
  const show = { ...event, startsAt: event.startsAt === null ? null : new Date(event.startsAt) }
  return letter(language, say(language, words.mailTransferSubject, { event: event.name }), [
    WORDS[language].mail.greetingNoName,
    words.mailTransfer,
    [...describeShow(language, show), nameSeat(language, seat)],
    say(language, words.mailTransferLink, { url }),
    words.mailTransferIgnore,
  ])
}

/** To an address that was entered for the returns list. */
export function writeReturnLetter(language: Language, event: SaleEvent, url: string): Letter {
  const words = WORDS[language].after
  return letter(language, say(language, words.mailReturnSubject, { event: event.name }), [
    WORDS[language].mail.greetingNoName,
    words.mailReturn,
    describeShow(language, event),
    say(language, words.mailReturnLink, { url }),
    words.mailReturnIgnore,
  ])
}

/** To an address that seats are held for. */
export function writeOfferLetter(
  language: Language,
  { event, reservation, url }: { event: SaleEvent; reservation: Reservation; url: string },
): Letter {
  const words = WORDS[language].after
  const { items, amount, currency, expiresAt } = reservation
  const names = new Map(event.seatTypes.map(({ id, name }) => [id, name]))
  const seats = items.map(({ seatTypeId, row, number }) => ({ type: names.get(seatTypeId) ?? '', row, number }))
  const time = tellMomentNamed(localeOf(language), expiresAt.getTime(), event.timeZone, 'full')
  return letter(language, say(language, words.mailOfferSubject, { event: event.name }), [
    WORDS[language].mail.greetingNoName,
    say(language, words.mailOffer, { count: items.length }),
    [...describeShow(language, event), ...seats.map((seat) => nameSeat(language, seat))],
    say(language, words.mailOfferUntil, { time, amount: formatMoney(language, amount, currency) }),
    say(language, words.mailOfferLink, { url }),
    words.mailOfferIgnore,
  ])
}

/** To an address that a visitor typed in order to sign in; the same whether or not it has an account. */
export function writeSignInLetter(
  language: Language,
  { code, url }: { readonly code: string; readonly url: string },
): Letter {
  const words = WORDS[language].signIn
  return letter(language, words.mailSubject, [
    WORDS[language].mail.greetingNoName,
    [say(language, words.mailCode, { code }), words.mailCodeWhere],
    say(language, words.mailLink, { url }),
    words.mailOnce,
    words.mailIgnore,
  ])
}

/** To an address that a visitor in line typed. The place is in their browser: the link leads there, and nowhere else. */
export function writeTurnLetter(
  language: Language,
  { name, url }: { readonly name: string; readonly url: string },
): Letter {
  const words = WORDS[language].mail
  return letter(language, say(language, words.turnSubject, { event: name }), [
    words.greetingNoName,
    say(language, words.turnCome, { event: name }),
    say(language, words.turnLink, { url }),
    words.turnWhere,
  ])
}

/** To an address that a member of an organization typed. */
export function writeInvitationLetter(
  language: Language,
  { organizationName: organization, role }: Pick<Invitation, 'organizationName' | 'role'>,
  url: string,
): Letter {
  const words = WORDS[language].team
  return letter(language, say(language, words.mailSubject, { organization }), [
    WORDS[language].mail.greetingNoName,
    say(language, words.mailInvited, { organization, role: words.roles[role] }),
    say(language, words.mailLink, { url }),
    words.mailIgnore,
  ])
}
