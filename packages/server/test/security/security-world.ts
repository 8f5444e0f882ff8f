import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import type { AccessRule } from '../../src/http/access/enforce-access.ts'
import { registerWithRole, type Visitor } from '../support/accounts.ts'
import { Cashier, type WirePurchase } from '../support/payment.ts'
import { Buyer, HOUSE, OPEN_FLOOR, seatIdsOf } from '../support/reservation.ts'
import { openRoomServer, RoomBench } from '../support/room.ts'

/** A sale with a victim who has one of everything, an organiser who owns it, and people who have no business there. */
export interface World {
  readonly bench: RoomBench
  readonly rules: readonly AccessRule[]
  /** The organiser of the sale. */
  readonly olivia: Visitor
  /** An organiser of other sales. */
  readonly mallory: Visitor
  readonly staff: Visitor
  readonly admin: Visitor
  readonly alice: Buyer
  readonly purchase: WirePurchase
  readonly operationKey: string
  readonly sale: string
  readonly eventId: string
  readonly roomId: string
  readonly webhookId: string
  /** Olivia's. */
  readonly organizationId: string
  readonly freeSeatId: string
  close(): Promise<void>
}

export async function openWorld(opened: Promise<Ledger> = openScratchLedger()): Promise<World> {
  const ledger = await opened
  const server = await openRoomServer(ledger)
  const bench = await RoomBench.open(server)
  const sale = await bench.sale(OPEN_FLOOR, HOUSE)
  const alice = await Buyer.admitted(bench, sale)
  const [firstSeat = '', , , freeSeatId = ''] = await seatIdsOf(bench, sale)
  const operationKey = 'alice-reserves'
  const { id } = await alice.reserved({ seatIds: [firstSeat] }, operationKey)
  const purchase = await (await Cashier.open(bench)).paid(alice, id)
  const as = bench.organizer.authorization
  const room = await bench.call('POST', '/api/rooms', { as, body: { name: 'Door', target: 'https://shop.example/' } })
  const hook = await bench.call('POST', '/api/webhooks', { as, body: { url: 'https://hooks.example/' } })
  return {
    bench,
    rules: server.app.accessRules,
    olivia: bench.organizer,
    mallory: await registerWithRole(server.app, ledger, 'organizer'),
    staff: await registerWithRole(server.app, ledger, 'staff'),
    organizationId: await bench.organizationId(),
    admin: bench.admin,
    ...{ alice, purchase, operationKey, sale, freeSeatId },
    eventId: sale.split('/').at(-1) ?? '',
    roomId: room.json<{ id: string }>().id,
    webhookId: hook.json<{ id: string }>().id,
    async close() {
      await server.close()
      await ledger.close()
    },
  }
}

/** Who is meant by a route's access, in words of the router. */
export function isProtected({ access }: AccessRule): boolean {
  return access !== 'public' && access !== 'public-or-signed-in'
}

/** The methods people use; Fastify adds HEAD to every GET by itself. */
export function isOwnMethod({ method }: AccessRule): boolean {
  return method !== 'HEAD' && method !== 'OPTIONS'
}

/** The address of a route with ids of the victim in it. */
export function victimsUrl(world: World, url: string): string {
  const ids: [RegExp, string][] = [
    [/^\/(?:api\/)?events\/:id/, world.eventId],
    [/^\/(?:console\/)?events\/:id/, world.eventId],
    [/^\/(?:api\/)?rooms\/:id/, world.roomId],
    [/^\/console\/rooms\/:id/, world.roomId],
    [/^\/api\/reservations\/:id/, world.purchase.reservation.id],
    [/^\/checkout\/:reservationId/, world.purchase.reservation.id],
    [/^\/api\/purchases\/:id/, world.purchase.id],
    [/^\/(?:api\/)?etickets\/:id/, world.purchase.etickets[0]?.id ?? ''],
    [/^\/api\/operations\/:key/, world.operationKey],
    [/^\/api\/webhooks\/:id/, world.webhookId],
    [/^\/api\/users\/:id/, world.olivia.id],
    [/^\/api\/organizations\/:id/, world.organizationId],
  ]
  const id = ids.find(([pattern]) => pattern.test(url))?.[1]
  const filled = id === undefined ? url : url.replace(/:(id|key|reservationId)\b/, id)
  // Further parameters name something inside of the first; none of it exists.
  return filled.replace(/:\w+/g, '1').replace(/\*$/, 'x')
}
