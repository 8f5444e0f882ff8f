import { isoInZone, type SaleEvent, spellShortCode } from '@seatwise/domain'
import type { Eticket } from '@seatwise/ledger'
import { type Language, WORDS } from '@seatwise/web'
import type { AppleWallet } from '../../../config/index.ts'
import { nameOrganizer } from './name-organizer.ts'

const COLOUR = '#8a2b36'
/** Apple's sizes of an icon, for dense and less dense screens. */
const ICONS = { 'icon.png': 29, 'icon@2x.png': 58, 'icon@3x.png': 87 } as const

export interface WalletTicket {
  readonly eticket: Eticket
  readonly event: SaleEvent
  /** What the QR code says. */
  readonly code: string
  readonly language: Language
  readonly siteUrl: string
}

/** An e-ticket as a signed pass for Apple Wallet. */
export async function makeApplePass(
  { passType, team, certificate, key, wwdr }: AppleWallet,
  { eticket, event, code, language, siteUrl }: WalletTicket,
): Promise<Buffer> {
  // Loaded with the first pass: most servers have no keys for it.
  const { PKPass } = await import('passkit-generator')
  const colours = coloursOf(event.organizer.colour ?? COLOUR)
  const pass = new PKPass(
    await drawIcons(colours.backgroundColor),
    { wwdr, signerCert: certificate, signerKey: key },
    {
      // Of this generation: after a transfer the new holder's pass is another one.
      serialNumber: `${eticket.id}.${eticket.generation}`,
      passTypeIdentifier: passType,
      teamIdentifier: team,
      organizationName: nameOrganizer(event),
      description: event.name,
      groupingIdentifier: eticket.eventId,
      sharingProhibited: true,
      ...colours,
    },
  )
  pass.type = 'eventTicket'
  fillFields(pass, { eticket, event, code, language, siteUrl })
  const { startsAt } = eticket
  if (startsAt !== null) pass.setRelevantDate(startsAt)
  const altText = spellShortCode(eticket.shortCode)
  pass.setBarcodes({ message: code, format: 'PKBarcodeFormatQR', messageEncoding: 'iso-8859-1', altText })
  return pass.getAsBuffer()
}

type Pass = InstanceType<typeof import('passkit-generator')['PKPass']>

function fillFields(pass: Pass, { eticket, event, language, siteUrl }: WalletTicket): void {
  const words = WORDS[language]
  const { startsAt, location, row, number, holder, seatTypeName, id } = eticket
  pass.primaryFields.push({ key: 'event', label: nameOrganizer(event), value: event.name })
  if (startsAt !== null) {
    const value = isoInZone(event.timeZone, startsAt.getTime())
    const label = words.event.when
    pass.secondaryFields.push({
      // In the venue's time, wherever the telephone is.
      ...{ key: 'time', label, value, ignoresTimeZone: true },
      dateStyle: 'PKDateStyleMedium',
      timeStyle: 'PKDateStyleShort',
    })
  }
  if (location !== '') pass.secondaryFields.push({ key: 'place', label: words.event.where, value: location })
  pass.auxiliaryFields.push({ key: 'type', label: words.event.category, value: seatTypeName })
  if (row !== null) {
    pass.auxiliaryFields.push({ key: 'row', label: words.buy.row, value: row })
    pass.auxiliaryFields.push({ key: 'seat', label: words.buy.seat, value: String(number) })
  }
  if (holder !== null) pass.backFields.push({ key: 'holder', label: words.ask.holder, value: holder })
  pass.backFields.push({ key: 'number', label: words.buy.number, value: id })
  pass.backFields.push({ key: 'online', label: words.buy.eticket, value: `${siteUrl}/etickets/${id}` })
}

/** Text that can be read on the organiser's colour. */
function coloursOf(colour: string): { backgroundColor: string; foregroundColor: string; labelColor: string } {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  const isLight = red * 0.299 + green * 0.587 + blue * 0.114 > 150
  const text = isLight ? 'rgb(20, 20, 20)' : 'rgb(255, 255, 255)'
  return { backgroundColor: `rgb(${red}, ${green}, ${blue})`, foregroundColor: text, labelColor: text }
}

/** A small ticket: Apple refuses passes without an icon. */
async function drawIcons(colour: string): Promise<Record<string, Buffer>> {
  const { default: sharp } = await import('sharp')
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 24 24"><path fill="${colour}" d="M2 6h20v4a2 2 0 0 0 0 4v4H2v-4a2 2 0 0 0 0-4z"/></svg>`
  const drawn = Object.entries(ICONS).map(
    async ([name, side]) => [name, await sharp(Buffer.from(drawing)).resize(side, side).png().toBuffer()] as const,
  )
  return Object.fromEntries(await Promise.all(drawn))
}
