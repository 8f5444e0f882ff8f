import type { Addressee } from '@seatwise/ledger'
import { type EticketView, nameSeat } from '../../box-office/index.ts'
import { escapeHtml, formatInstant, formatMoney } from '../../kit/index.ts'
import type { Mail } from './mailer.ts'

export type Letter = Pick<Mail, 'subject' | 'text' | 'html' | 'attachments'>

export interface ConfirmationFacts {
  readonly etickets: readonly EticketView[]
  readonly siteUrl: string
  readonly reservationId: string
}

export function writeConfirmation(
  addressee: Addressee,
  { etickets, siteUrl, reservationId }: ConfirmationFacts,
): Letter {
  const { name, eventName, amount, currency } = addressee
  return letter(`Your e-tickets for ${eventName}`, [
    `Hello ${name},`,
    `your payment of ${formatMoney(amount, currency)} has arrived, and these seats are yours:`,
    [...describeEvent(addressee), ...etickets.map(({ seat }) => nameSeat(seat))],
    'Your e-tickets are attached. Open or print the page, and show the codes at the door.',
    `You find them online, too: ${siteUrl}/reservations`,
    `Reservation ${reservationId}`,
  ])
}

export function writeRefundNotice(addressee: Addressee, amount: number): Letter {
  const { name, eventName, currency } = addressee
  return letter(`Your refund for ${eventName}`, [
    `Hello ${name},`,
    `we have sent ${formatMoney(amount, currency)} back to you for:`,
    describeEvent(addressee),
    'E-tickets of this purchase do not let anybody in any more.',
  ])
}

function describeEvent({ eventName, startsAt, timeZone, location }: Addressee): string[] {
  const time = startsAt === null ? '' : formatInstant(startsAt, timeZone)
  return [eventName, time, location].filter((line) => line !== '')
}

/** A paragraph, or lines that stay together. The same words as text and as HTML. */
type Paragraph = string | readonly string[]

function letter(subject: string, paragraphs: readonly Paragraph[]): Letter {
  const text = paragraphs.map((paragraph) => [paragraph].flat().join('\n')).join('\n\n')
  const html = paragraphs.map((paragraph) => `<p>${[paragraph].flat().map(escapeHtml).join('<br>\n')}</p>`).join('\n')
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${html}\n</body></html>\n`,
    attachments: [],
  }
}
