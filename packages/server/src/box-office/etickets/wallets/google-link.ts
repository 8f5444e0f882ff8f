import { sign } from 'node:crypto'
import { spellShortCode } from '@seatwise/domain'
import type { GoogleWallet } from '../../../config/index.ts'
import type { WalletTicket } from './apple-pass.ts'
import { nameOrganizer } from './name-organizer.ts'

const SAVE_URL = 'https://pay.google.com/gp/v/save/'

/**
 * A link that adds an e-ticket to Google Wallet. Event and ticket are in the link itself, signed by the issuer's service
 * account: this server makes no call.
 */
export function makeGoogleLink({ issuer, account, key }: GoogleWallet, ticket: WalletTicket, nowMs: number): string {
  const { siteUrl } = ticket
  const claims = {
    ...{ iss: account, aud: 'google', typ: 'savetowallet', iat: Math.floor(nowMs / 1_000) },
    origins: [new URL(siteUrl).origin],
    payload: { eventTicketClasses: [classOf(issuer, ticket)], eventTicketObjects: [objectOf(issuer, ticket)] },
  }
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  return `${SAVE_URL}${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const classId = (issuer: string, { eticket }: WalletTicket): string => `${issuer}.event-${eticket.eventId}`

function classOf(issuer: string, ticket: WalletTicket): object {
  const { event, eticket, language, siteUrl } = ticket
  const said = (value: string): object => ({ defaultValue: { language, value } })
  const { startsAt, endsAt, location } = eticket
  // Both parts are needed where one is given.
  const venue = location === '' ? {} : { venue: { name: said(location), address: said(location) } }
  return {
    id: classId(issuer, ticket),
    issuerName: nameOrganizer(event),
    reviewStatus: 'UNDER_REVIEW',
    eventId: eticket.eventId,
    eventName: said(event.name),
    homepageUri: { uri: `${siteUrl}/events/${eticket.eventId}`, description: event.name },
    ...(event.organizer.colour === null ? {} : { hexBackgroundColor: event.organizer.colour }),
    ...venue,
    ...(startsAt === null
      ? {}
      : { dateTime: { start: startsAt.toISOString(), ...(endsAt === null ? {} : { end: endsAt.toISOString() }) } }),
  }
}

function objectOf(issuer: string, ticket: WalletTicket): object {
  const { eticket, code, language } = ticket
  const said = (value: string): object => ({ defaultValue: { language, value } })
  const { row, number, holder, seatTypeName, shortCode } = eticket
  return {
    // Of this generation: after a transfer the new holder's pass is another one.
    id: `${issuer}.${eticket.id}-${eticket.generation}`,
    classId: classId(issuer, ticket),
    state: 'ACTIVE',
    barcode: { type: 'QR_CODE', value: code, alternateText: spellShortCode(shortCode) },
    ticketNumber: eticket.id,
    ticketType: said(seatTypeName),
    ...(holder === null ? {} : { ticketHolderName: holder }),
    ...(row === null ? {} : { seatInfo: { row: said(row), seat: said(String(number)) } }),
  }
}
