import { badField } from '@seatwise/domain'
import { type BrandRow, readBrand, writeBrand } from '@seatwise/ledger'
import Type from 'typebox'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import { type App, actorOf } from '../../http/index.ts'
import type { BrandReads } from './brand-reads.ts'

const tags = ['room']
const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const RoomPath = Type.Object({ id: Type.String() })
const Brand = Type.Object(
  {
    colour: nullable(
      Type.String({
        pattern: '^#[0-9A-Fa-f]{6}$',
        description: 'Shown darker or lighter where it could not be read otherwise',
      }),
    ),
    logo: nullable(Type.String({ maxLength: 512, description: 'An https address of a picture' })),
    text: nullable(Type.String({ maxLength: 2_000, description: 'Stands on the waiting page, as plain text' })),
  },
  { additionalProperties: false },
)

/** The look of a room's pages: a colour, a picture and a few words of the organiser's. No scripts. */
export function brandRoutes(app: App, services: BoxOfficeServices, reads: BrandReads): void {
  const { rooms, ledger } = services
  const addresses = [
    { path: '/api/events/:id', on: 'event', find: (id: string) => rooms.ofEvent(id) },
    { path: '/api/rooms/:id', on: 'room', find: (id: string) => rooms.byId(id) },
  ] as const
  for (const { path, on, find } of addresses) {
    app.get(
      `${path}/brand`,
      {
        config: { access: 'public' },
        schema: { tags, summary: 'How its pages look', params: RoomPath, response: { 200: Brand } },
      },
      async (request) => await reads.of((await find(request.params.id)).id),
    )
    app.put(
      `${path}/brand`,
      {
        config: { access: { act: 'brand', on } },
        schema: {
          tags,
          summary: 'Decide how its pages look',
          params: RoomPath,
          body: Brand,
          response: { 200: Brand },
        },
      },
      async (request) => {
        const room = await find(request.params.id)
        const actor = actorOf(request)
        const brand = requireBrand(request.body)
        await writeBrand(ledger.db, { roomId: room.id, eventId: room.row.eventId, brand, by: actor.id })
        const written = (await readBrand(ledger.db, room.id)) ?? brand
        reads.remember(room.id, written)
        return written
      },
    )
  }
}

function requireBrand({ colour, logo, text }: BrandRow): BrandRow {
  return {
    colour: colour?.toLowerCase() ?? null,
    logo: logo === null ? null : requireLogo(logo),
    text: text === null || text.trim() === '' ? null : requirePlainText(text),
  }
}

/** Fetched by the browsers of all visitors: https only, and only a valid URL. */
function requireLogo(text: string): string {
  const url = URL.parse(text)
  if (url !== null && url.protocol === 'https:' && url.username + url.password === '' && url.href.length <= 512) {
    return url.href
  }
  throw badField('logo', 'must be an https address of a picture, without a user name or password in it')
}

function requirePlainText(text: string): string {
  const plain = text.normalize('NFC').replaceAll('\r\n', '\n')
  if (text.isWellFormed() && !/[\p{Cc}--\n]/v.test(plain)) return plain
  throw badField('text', 'must have no control characters but line breaks')
}
