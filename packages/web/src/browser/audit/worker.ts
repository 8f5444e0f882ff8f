import { checkPublicLog } from '@seatwise/checker'
import type { AuditAnswer, AuditQuestion } from './messages.ts'
import { isRoundSigned } from './round-signature.ts'

/** More would keep a phone busy for too long: then entries are sampled. */
const ENTRIES_MAX = 100_000

/** Off the page's thread: the hashes of a long log take seconds. */
self.addEventListener('message', ({ data }: MessageEvent<AuditQuestion>) => {
  check(data).then(tell, () => tell({ kind: 'broken' }))
})

async function check({ room, roomId, heads, receipts }: AuditQuestion): Promise<AuditAnswer> {
  const verdict = await checkPublicLog({
    ...{ ask, room, roomId, heads, receipts, entriesMax: ENTRIES_MAX },
    isRoundSigned: async (signed) => isRoundSigned(signed),
    onProgress: (checked, all) => tell({ kind: 'progress', checked, all }),
  })
  const { draw, ...rest } = verdict
  const numbers = receipts.map(({ entry }) => (JSON.parse(entry) as { number: number }).number)
  const place = draw === null ? null : (numbers.map(draw.placeOf).find((drawn) => drawn !== null) ?? null)
  return {
    kind: 'verdict',
    verdict: {
      ...rest,
      draw: draw === null ? null : { drawn: draw.drawn, isBeaconChecked: draw.isBeaconChecked, place },
    },
  }
}

async function ask(path: string): Promise<unknown> {
  const answer = await fetch(path)
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`)
  return await answer.json()
}

function tell(answer: AuditAnswer): void {
  self.postMessage(answer)
}
