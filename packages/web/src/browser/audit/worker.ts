import { checkPublicLog } from '@seatwise/checker'
import type { AuditAnswer, AuditQuestion } from './messages.ts'

/** More would keep a phone busy for too long: then entries are sampled. */
const ENTRIES_MAX = 100_000

/** Off the page's thread: the hashes of a long log take seconds. */
self.addEventListener('message', ({ data }: MessageEvent<AuditQuestion>) => {
  check(data).then(tell, () => tell({ kind: 'broken' }))
})

async function check({ room, roomId, heads, receipts }: AuditQuestion): Promise<AuditAnswer> {
  const verdict = await checkPublicLog({
    ...{ ask, room, roomId, heads, receipts, entriesMax: ENTRIES_MAX },
    onProgress: (checked, all) => tell({ kind: 'progress', checked, all }),
  })
  return { kind: 'verdict', verdict }
}

async function ask(path: string): Promise<unknown> {
  const answer = await fetch(path)
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`)
  return await answer.json()
}

function tell(answer: AuditAnswer): void {
  self.postMessage(answer)
}
