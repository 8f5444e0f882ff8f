import { spellShortCode } from '@seatwise/domain'
import type { Addressee } from '@seatwise/ledger'
import { formatMoney, type Language, say, tellMomentNamed, WORDS } from '@seatwise/web'
import type { EticketView } from '../../box-office/index.ts'
import type { Paragraph } from './dress-letter.ts'
import type { Mail } from './mailer.ts'

/** A mail before it is dressed as HTML. */
export interface Letter extends Pick<Mail, 'subject' | 'text' | 'attachments'> {
  readonly language: Language
  readonly paragraphs: readonly Paragraph[]
}

export interface ConfirmationFacts {
  readonly etickets: readonly EticketView[]
  /** Where the buyer finds the order again. */
  readonly url: string
  readonly reservationId: string
}

export function writeConfirmation(
  language: Language,
  addressee: Addressee,
  { etickets, url, reservationId }: ConfirmationFacts,
): Letter {
  const words = WORDS[language].mail
  const { eventName, amount, currency } = addressee
  return letter(language, say(language, words.confirmationSubject, { event: eventName }), [
    greeting(language, addressee),
    say(language, words.paid, { amount: formatMoney(language, amount, currency) }),
    [...describeEvent(language, addressee), ...etickets.map((eticket) => nameTicket(language, eticket))],
    words.attached,
    say(language, words.online, { url }),
    say(language, words.reservation, { id: reservationId }),
  ])
}

export interface RefundFacts {
  readonly amount: number
  /** Which seats of the purchase, when others stay sold; null for all. */
  readonly seats: readonly EticketView['seat'][] | null
}

export function writeRefundNotice(language: Language, addressee: Addressee, { amount, seats }: RefundFacts): Letter {
  const words = WORDS[language].mail
  const { eventName, currency } = addressee
  return letter(language, say(language, words.refundSubject, { event: eventName }), [
    greeting(language, addressee),
    say(language, words.refunded, { amount: formatMoney(language, amount, currency) }),
    [...describeEvent(language, addressee), ...(seats ?? []).map((seat) => nameSeat(language, seat))],
    seats === null ? words.noLongerValid : words.noLongerValidSome,
  ])
}

/** With the organiser's own words. */
export function writeCancelledNotice(language: Language, addressee: Addressee, message: string): Letter {
  const words = WORDS[language].mail
  return letter(language, say(language, words.cancelledSubject, { event: addressee.eventName }), [
    greeting(language, addressee),
    words.cancelled,
    describeEvent(language, addressee),
    message.split('\n'),
    words.moneyComesBack,
  ])
}

/** The organiser's own words, with what they are about. An empty line begins a paragraph. */
export function writeLetterToBuyers(
  language: Language,
  addressee: Pick<Addressee, 'name' | 'eventName' | 'startsAt' | 'timeZone' | 'location'>,
  { subject, body }: { readonly subject: string; readonly body: string },
): Letter {
  const paragraphs = body.trim().split(/\n\s*\n/)
  return letter(language, subject, [
    greeting(language, addressee),
    ...paragraphs.map((paragraph) => paragraph.split('\n')),
    describeEvent(language, addressee),
    WORDS[language].mail.whyWritten,
  ])
}

interface MovedFacts {
  readonly siteUrl: string
  readonly reservationId: string
  /** Until when the buyer may refund, in ISO 8601; null when that is not offered. */
  readonly refundsUntil: string | null
}

export function writeMovedNotice(
  language: Language,
  addressee: Addressee,
  { siteUrl, reservationId, refundsUntil }: MovedFacts,
): Letter {
  const words = WORDS[language].mail
  const url = `${siteUrl}/checkout/${reservationId}`
  const until = refundsUntil === null ? null : tellTime(language, Date.parse(refundsUntil), addressee.timeZone)
  return letter(language, say(language, words.movedSubject, { event: addressee.eventName }), [
    greeting(language, addressee),
    words.moved,
    describeEvent(language, addressee),
    words.stillValid,
    ...(until === null ? [] : [say(language, words.refundUntil, { time: until, url })]),
  ])
}

function greeting(language: Language, { name }: Pick<Addressee, 'name'>): string {
  const { greeting, greetingNoName } = WORDS[language].mail
  return name === '' ? greetingNoName : say(language, greeting, { name })
}

function describeEvent(
  language: Language,
  addressee: Pick<Addressee, 'eventName' | 'startsAt' | 'timeZone' | 'location'>,
): string[] {
  return describeShow(language, { ...addressee, name: addressee.eventName })
}

/** The seat, the name of its holder where the organiser asked for it, and the code to type where none can be scanned. */
function nameTicket(language: Language, { seat, holder, shortCode }: EticketView): string {
  const code = shortCode === null ? null : spellShortCode(shortCode)
  return [nameSeat(language, seat), holder, code].filter((part) => part !== null).join(' · ')
}

interface Show {
  readonly name: string
  readonly startsAt: Date | null
  readonly timeZone: string
  readonly location: string
}

/** The reader's own zone is unknown, so the time names the venue's. */
export function describeShow(language: Language, { name, startsAt, timeZone, location }: Show): string[] {
  const time = startsAt === null ? '' : tellTime(language, startsAt.getTime(), timeZone)
  return [name, time, location].filter((line) => line !== '')
}

function tellTime(language: Language, atMs: number, timeZone: string): string {
  return tellMomentNamed(localeOf(language), atMs, timeZone, 'full')
}

/** Days before months, as in the whole of Europe. */
export const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : language)

export function nameSeat(language: Language, { type, row, number }: EticketView['seat']): string {
  if (row === null || number === null) return type
  return `${type} · ${say(language, WORDS[language].seats.seat, { row, number: String(number) })}`
}

export function letter(language: Language, subject: string, paragraphs: readonly Paragraph[]): Letter {
  const text = paragraphs.map((paragraph) => [paragraph].flat().join('\n')).join('\n\n')
  return { language, subject, paragraphs, text: `${text}\n`, attachments: [] }
}
