import type { SaleEvent, SeatType } from '@seatwise/domain'
import type { Preview } from '../../page.ts'
import { plainText } from '../../views/markdown.ts'
import type { SaleState } from '../../views/sale-state.ts'

const DESCRIPTION_LENGTH = 200

/** What other sites show of an event, and what searches know of it: schema.org's Event. */
export function eventPreview(event: SaleEvent, state: SaleState, origin: string): Preview {
  const url = `${origin}/events/${event.id}`
  const words = plainText(event.description).replaceAll(/\s+/g, ' ')
  const description = shortened(words === '' ? [event.name, event.location].filter(Boolean).join(' · ') : words)
  const image = event.image === null ? null : { ...event.image, url: origin + event.image.url }
  const shown = image === null ? null : { ...image, alt: image.alt === '' ? event.name : image.alt }
  return { description, url, image: shown, facts: factsOf(event, state, { origin, url, words }) }
}

function factsOf(
  event: SaleEvent,
  state: SaleState,
  { origin, url, words }: { readonly origin: string; readonly url: string; readonly words: string },
): object {
  const { name, location, organizer, image, startsAt, endsAt, doorsAt, ageMin } = event
  return {
    ...{ '@context': 'https://schema.org', '@type': 'Event', name, url },
    ...(startsAt === null ? {} : { startDate: startsAt.toISOString() }),
    ...(endsAt === null ? {} : { endDate: endsAt.toISOString() }),
    ...(doorsAt === null ? {} : { doorTime: doorsAt.toISOString() }),
    ...(words === '' ? {} : { description: words }),
    ...(image === null ? {} : { image: [origin + image.url] }),
    ...(ageMin === null || ageMin === 0 ? {} : { typicalAgeRange: `${ageMin}-` }),
    eventStatus: `https://schema.org/${event.state === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: { '@type': 'Place', name: location, address: location },
    organizer: { '@type': 'Organization', name: organizer.name, url: `${origin}/o/${organizer.slug}` },
    offers: event.seatTypes.map((type) => offerOf(event, type, state, url)),
  }
}

function offerOf(
  event: SaleEvent,
  { name, price, currency, remaining }: SeatType,
  state: SaleState,
  url: string,
): object {
  const isGone = state === 'ended' || remaining === 0 || event.state === 'cancelled'
  return {
    ...{ '@type': 'Offer', name, url, price: majorUnits(price, currency), priceCurrency: currency },
    availability: `https://schema.org/${isGone ? 'SoldOut' : state === 'before' ? 'PreSale' : 'InStock'}`,
    validFrom: event.salesStartAt.toISOString(),
  }
}

/** As schema.org wants it: digits with a point, in the units that people count in. */
function majorUnits(amount: number, currency: string): string {
  const digits =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  return (amount / 10 ** digits).toFixed(digits)
}

function shortened(text: string): string {
  const characters = [...text]
  return characters.length <= DESCRIPTION_LENGTH
    ? text
    : `${characters
        .slice(0, DESCRIPTION_LENGTH - 1)
        .join('')
        .trimEnd()}…`
}
