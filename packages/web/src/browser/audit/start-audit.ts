import type { Head, Receipt } from '@seatwise/checker'
import type { AuditData } from '../../pages/audit.ts'
import { say } from '../../words/say.ts'
import { readPageData } from '../page-data.ts'
import type { AuditAnswer, AuditQuestion, AuditVerdict } from './messages.ts'

/** Lets the visitor start the check, which runs in a worker, and tells how it went. */
export function startAudit(): void {
  const button = document.getElementById('audit-start')
  const data = readPageData<AuditData>()
  if (!(button instanceof HTMLButtonElement)) return
  button.hidden = false
  button.addEventListener('click', () => {
    button.disabled = true
    const end = (): void => {
      button.disabled = false
    }
    run(data).then(end, end)
  })
}

async function run(data: AuditData): Promise<void> {
  const { room, roomId, words, language } = data
  show('audit-result', [])
  const receipt = await readReceipt(room)
  const kept = readKept(roomId)
  const receipts = receipt === null ? [] : [receipt]
  const heads = kept === null ? [] : [kept]
  const answer = await inWorker({ room, roomId, heads, receipts }, (checked, all) =>
    show('audit-progress', [say(language, words.checking, { checked, all })]),
  )
  show('audit-progress', [])
  if (answer.kind !== 'verdict') return show('audit-result', [words.broken])
  const { verdict } = answer
  show('audit-result', linesOf(data, verdict, { receipt, kept }))
  if (verdict.problems.length === 0) keep(roomId, verdict.head)
}

function linesOf(
  { words, language }: AuditData,
  { problems, isWhole, signaturesChecked, head, draw }: AuditVerdict,
  { receipt, kept }: { receipt: Receipt | null; kept: Head | null },
): string[] {
  if (problems.length > 0) return [words.bad, ...problems]
  return [
    say(language, isWhole ? words.good : words.sampled, { count: head.size }),
    ...(draw === null ? [] : [say(language, words.drawn, { count: draw.drawn })]),
    ...(draw?.place == null ? [] : [say(language, words.drew, { place: draw.place, count: draw.drawn })]),
    ...(draw === null || draw.isBeaconChecked ? [] : [words.otherBeacon]),
    ...(receipt === null ? [] : [say(language, words.own, { index: receipt.index })]),
    ...(kept === null ? [] : [words.kept]),
    ...(signaturesChecked ? [] : [words.unsigned]),
  ]
}

function inWorker(question: AuditQuestion, onProgress: (checked: number, all: number) => void): Promise<AuditAnswer> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    const end = (answer: AuditAnswer): void => {
      worker.terminate()
      resolve(answer)
    }
    worker.addEventListener('error', () => end({ kind: 'broken' }))
    worker.addEventListener('message', ({ data }: MessageEvent<AuditAnswer>) => {
      if (data.kind === 'progress') onProgress(data.checked, data.all)
      else end(data)
    })
    worker.postMessage(question)
  })
}

/** The room's cookie proves the ticket; without one there is no receipt. */
async function readReceipt(room: string): Promise<Receipt | null> {
  const answer = await fetch(`${room}/queue/receipt`).catch(() => null)
  return answer?.status === 200 ? ((await answer.json()) as Receipt) : null
}

const keyOf = (roomId: string): string => `seatwise-head-${roomId}`

function readKept(roomId: string): Head | null {
  const text = localStorage.getItem(keyOf(roomId))
  return text === null ? null : (JSON.parse(text) as Head)
}

function keep(roomId: string, head: Head): void {
  localStorage.setItem(keyOf(roomId), JSON.stringify(head))
}

function show(id: string, lines: readonly string[]): void {
  const paragraphs = lines.map((line) => {
    const paragraph = document.createElement('p')
    paragraph.textContent = line
    return paragraph
  })
  document.getElementById(id)?.replaceChildren(...(id === 'audit-progress' ? lines : paragraphs))
}
