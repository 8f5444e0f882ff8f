import { type AnswersBody, badField, readAnswers } from '@seatwise/domain'
import {
  type BuyerAnswers,
  isOwn,
  type Ledger,
  type ReservationRow,
  readAsked,
  readBuyerAnswers,
  readNamedAddressee,
  saveAnswers,
} from '@seatwise/ledger'
import { readLanguage, WORDS } from '@seatwise/web'
import type { Static } from 'typebox'
import { unknownReservation } from './cancel-reservation.ts'
import { endedError, nameAddressee, notYours, readAddresseeBody } from './name-addressee.ts'
import type { AddresseeBody } from './schemas.ts'

/** `language`: of the page that the buyer answers on, where it is known. */
export interface AnsweredReservation {
  readonly reservationId: string
  readonly buyerId: string
  readonly language?: string
}

const UNNAMED = { email: null, name: null, language: null }

/**
 * Stores what a buyer says about an order: who it is for, the names of ticket holders, answers, terms and consent. All
 * of it or nothing; what is left out stays. A retry says the same again, so that it needs no key.
 */
export async function answerQuestions(
  { ledger }: { readonly ledger: Ledger },
  of: AnsweredReservation,
  body: AnswersBody & Partial<Static<typeof AddresseeBody>>,
): Promise<ReservationRow> {
  const { email, name, language, ...said } = body
  const isNamed = email !== undefined
  if (!isNamed && (name !== undefined || language !== undefined || Object.keys(said).length === 0)) {
    throw badField('email', 'is required')
  }
  const addressee = isNamed
    ? { email, ...(name === undefined ? {} : { name }), ...(language === undefined ? {} : { language }) }
    : null
  if (Object.keys(said).length === 0 && addressee !== null) return await nameAddressee({ ledger }, of, addressee)
  const asked = await readAsked(ledger.db, of.reservationId)
  if (asked === null) throw unknownReservation()
  if (!(await isOwn(ledger.db, of.buyerId, asked.buyerId))) throw notYours()
  const given = readAnswers(asked.checkout, asked.seatIds, said)
  const { reservationId, buyerId } = of
  const outcome = await saveAnswers(ledger, {
    ...{ reservationId, buyerId, given },
    marketingWords: await consentWords(ledger, reservationId, of.language ?? language),
    addressee: addressee === null ? null : readAddresseeBody(addressee),
  })
  switch (outcome.status) {
    case 'saved':
      return outcome.reservation
    case 'unknown':
      throw unknownReservation()
    case 'not_yours':
      throw notYours()
    case 'ended':
      throw endedError(outcome.reservation)
  }
}

/** In the language of this call, else of the buyer's mail: those are the words that our pages showed. */
async function consentWords({ db }: Ledger, reservationId: string, said: string | undefined): Promise<string> {
  const language = said ?? (await readNamedAddressee(db, reservationId))?.language ?? undefined
  return WORDS[readLanguage(language) ?? 'en'].ask.marketing
}

/** A reservation with all that its buyer said about it. */
export async function describeAnswered({ db }: Ledger, reservation: ReservationRow): Promise<Record<string, unknown>> {
  const addressee = await readNamedAddressee(db, reservation.id)
  const { terms, marketing, ...answers } = await readBuyerAnswers(db, reservation.id)
  return { ...reservation, ...(addressee ?? UNNAMED), ...showAnswers({ terms, marketing, ...answers }) }
}

/** Answers on the wire. */
export function showAnswers({ answers, names, terms, marketing }: BuyerAnswers) {
  return {
    answers,
    names,
    terms: terms === null ? null : { url: terms.url, acceptedAt: terms.acceptedAt.toISOString() },
    marketing: { ...marketing, at: marketing.at?.toISOString() ?? null },
  }
}
