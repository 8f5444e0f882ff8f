import type { Answer } from '../../support/events.ts'
import type { RoomBench } from '../../support/room.ts'

/** Twenty open seats in a row, forty places to stand, and two hidden types. */
export const HALL = {
  totalSeats: undefined,
  seatTypes: [
    { name: 'Stalls', price: 9_000, currency: 'EUR', rows: [{ label: 'A', seats: 20 }] },
    { name: 'Standing', price: 4_500, totalQuantity: 40 },
    { name: 'Friends', price: 1_000, totalQuantity: 5, hidden: true },
    { name: 'Box', price: 20_000, rows: [{ label: 'Z', seats: 4 }], hidden: true },
  ],
}

export interface WireType {
  id: string
  name: string
  hidden: boolean
}

/** Calls as the organiser of the bench. */
export const codesOf = (bench: RoomBench, sale: string) => ({
  post: (body: object, as: string | undefined = bench.organizer.authorization): Promise<Answer> =>
    bench.call('POST', `${sale}/codes`, { body, ...(as === '' ? {} : { as }) }),
  get: (query = '', as: string | undefined = bench.organizer.authorization): Promise<Answer> =>
    bench.call('GET', `${sale}/codes${query}`, { ...(as === '' ? {} : { as }) }),
  end: (id: string): Promise<Answer> =>
    bench.call('DELETE', `${sale}/codes/${id}`, { as: bench.organizer.authorization }),
  check: (code: string, remoteAddress?: string): Promise<Answer> =>
    bench.server.app.inject({
      ...{ method: 'POST', url: `${sale}/codes/check`, payload: { code } },
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
    }),
})

/** The seat types as the organiser sees them, by name. */
export async function typesOf(bench: RoomBench, sale: string): Promise<Record<string, string>> {
  const answer = await bench.call('GET', sale, { as: bench.organizer.authorization })
  return Object.fromEntries(answer.json<{ seatTypes: WireType[] }>().seatTypes.map(({ name, id }) => [name, id]))
}
