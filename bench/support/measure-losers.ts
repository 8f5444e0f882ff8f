import type { Server } from '@seatwise/testbench'
import { converse } from './converse.ts'
import { drive } from './drive.ts'
import { letIn, openHouse, read, reserve } from './house.ts'
import { CROWD_CONNECTIONS, inTurn } from './sale.ts'
import { median } from './statistics.ts'

export interface LoserRates {
  readonly losers: number
  readonly noOps: number
  readonly signedInNoOps: number
  readonly ratio: number
  readonly signedInRatio: number
}

const LOSERS = 2_000
const ROUNDS = 3
const SECONDS = 3

/** People on the floor who all want the one seat that is taken; and the same bytes sent to where nothing is done. */
export async function measureLosers(server: Server, noOpUrl: string): Promise<LoserRates> {
  const house = await openHouse(server, 2 * LOSERS)
  const [winner, ...losers] = await letIn(house, LOSERS + 1)
  const seatId = house.seatIds[0]
  if (winner === undefined || seatId === undefined) throw new Error('Nobody came')
  const conversation = await converse(house.url)
  read(await conversation.ask(reserve(house, winner, seatId)), 201)
  conversation.end()
  const turnAway = async (url: URL, path: string | undefined, status: number, seconds: number): Promise<number> => {
    const requests = losers.map((loser) => reserve({ ...house, url }, loser, seatId, path))
    const options = { url, connections: CROWD_CONNECTIONS, seconds, nextRequest: inTurn(requests), status }
    return (await drive(options)).perSecond
  }
  const rounds: LoserRates[] = []
  // One more to warm up, which does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const seconds = round === 0 ? 2 : SECONDS
    const noOps = await turnAway(new URL(noOpUrl), '/no-op', 200, seconds)
    const signedInNoOps = await turnAway(new URL(noOpUrl), '/no-op/signed-in', 200, seconds)
    const turnedAway = await turnAway(house.url, undefined, 409, seconds)
    if (round === 0) continue
    const ratios = { ratio: turnedAway / noOps, signedInRatio: turnedAway / signedInNoOps }
    rounds.push({ losers: turnedAway, noOps, signedInNoOps, ...ratios })
  }
  const middle = (field: keyof LoserRates): number => median(rounds.map((round) => round[field]))
  return {
    losers: middle('losers'),
    noOps: middle('noOps'),
    signedInNoOps: middle('signedInNoOps'),
    ratio: middle('ratio'),
    signedInRatio: middle('signedInRatio'),
  }
}
