import type { ComponentChildren, VNode } from 'preact'
import type { Pulse } from '../kit/answers.ts'
import { formatAgo, formatCount, formatDuration, formatInstant, formatRate } from '../kit/format.ts'
import { tell, words } from '../kit/page.ts'
import { describeAction } from '../tabs/trail-words.ts'
import { heardAtMs, nowMs, pulse, sale } from './sale-state.ts'
import { UndoButton } from './undo-button.tsx'

/** After so long without news, the operator must know that they look at the past. */
const LOST_MS = 8_000

/** The five questions of an operator, each answered in one sentence. */
export function PulseBoard(): VNode | null {
  const now = pulse.value
  if (now === null) return null
  const lostMs = nowMs.value - heardAtMs.value
  const isLost = lostMs > LOST_MS
  return (
    <section class="board" aria-label={words.pulse.title}>
      <Answer question={words.pulse.moving} tone={toneOfMoving(now)} says={sayMoving(now)} />
      <Answer question={words.pulse.fast} says={sayWait(now)}>
        {now.waiting > 0 && <>{tell(words.pulse.fastWaiting, { count: now.waiting })}</>}
        {now.lastVisitor !== null && now.waiting > 0 && (
          <>
            {' · '}
            {tell(words.pulse.fastRange, {
              from: formatDuration(now.lastVisitor.p50),
              to: formatDuration(now.lastVisitor.p90),
            })}
          </>
        )}
      </Answer>
      <Answer
        question={words.pulse.healthy}
        tone={isLost || now.isHeld ? 'bad' : 'good'}
        says={
          isLost
            ? tell(words.pulse.healthyLost, { time: formatDuration(lostMs / 1_000) })
            : now.isHeld
              ? words.pulse.healthyHeld
              : words.pulse.healthyYes
        }
      >
        {tell(words.pulse.healthyInside, { inside: now.active, capacity: now.settings.capacity })}
        {now.avgServiceMs !== null && (
          <>
            {' · '}
            {tell(words.pulse.healthyService, { time: formatDuration(now.avgServiceMs / 1_000) })}
          </>
        )}
      </Answer>
      <Answer question={words.pulse.until} says={sayUntil(now)}>
        {now.soldPerMinute > 0 && tell(words.pulse.untilRate, { count: formatRate(now.soldPerMinute) })}
        <SeatBar seats={now.seats} />
      </Answer>
      <LastChange now={now} />
    </section>
  )
}

function Answer(props: {
  question: string
  says: string
  tone?: 'good' | 'bad' | 'still'
  children?: ComponentChildren
}): VNode {
  return (
    <div class={`answer ${props.tone ?? ''}`}>
      <h2 class="label">{props.question}</h2>
      <p class="says number">{props.says}</p>
      <div class="small quiet number">{props.children}</div>
    </div>
  )
}

function LastChange({ now }: { now: Pulse }): VNode {
  const { lastAction } = now
  return (
    <div class="answer">
      <h2 class="label">{words.pulse.last}</h2>
      {lastAction === null ? (
        <p class="says">{words.pulse.lastNothing}</p>
      ) : (
        <>
          <p class="says">{describeAction(lastAction)}</p>
          <div class="small quiet">
            {lastAction.actorName ?? words.trail.deleted} · {formatAgo(lastAction.at, nowMs.value)}{' '}
            <UndoButton entry={lastAction} />
          </div>
        </>
      )}
    </div>
  )
}

function toneOfMoving(now: Pulse): 'good' | 'bad' | 'still' {
  if (now.isHeld) return 'bad'
  if (now.phase === 'open') return 'good'
  return 'still'
}

function sayMoving(now: Pulse): string {
  const { pulse: says } = words
  switch (now.phase) {
    case 'before':
      return tell(says.movingSoon, { when: sale.opensAt === null ? '' : formatInstant(sale.opensAt) })
    case 'pre':
      return says.movingPre
    case 'ended':
      return says.movingOver
    case 'sold_out':
      return says.movingSoldOut
    case 'paused':
      return now.isHeld ? says.movingHeld : says.movingPaused
    case 'open':
      if (now.admissionsPerMinute >= 0.1) return tell(says.movingYes, { count: formatRate(now.admissionsPerMinute) })
      if (now.waiting === 0) return says.movingEmpty
      if (now.active >= now.settings.capacity) return tell(says.movingFull, { capacity: now.settings.capacity })
      return says.movingStill
  }
}

function sayWait({ waiting, lastVisitor }: Pulse): string {
  if (waiting === 0) return words.pulse.fastEmpty
  if (lastVisitor === null) return words.pulse.fastUnknown
  return tell(words.pulse.fastAbout, { time: formatDuration(lastVisitor.p50) })
}

function sayUntil({ seats, phase, soldOutInSeconds }: Pulse): string {
  if (seats === null) return words.pulse.untilNoStock
  if (phase === 'sold_out' || seats.available + seats.held === 0) return words.pulse.untilSoldOut
  if (soldOutInSeconds === null) return words.pulse.untilUnknown
  return tell(words.pulse.untilAbout, { time: formatDuration(soldOutInSeconds) })
}

/** Sold, held and left as one bar; the numbers stand below it, for those who cannot tell the colours apart. */
function SeatBar({ seats }: { seats: Pulse['seats'] }): VNode | null {
  if (seats === null) return null
  const total = Math.max(1, seats.sold + seats.held + seats.available)
  const parts = [
    { name: 'sold', count: seats.sold, says: words.pulse.sold },
    { name: 'held', count: seats.held, says: words.pulse.held },
    { name: 'left', count: seats.available, says: words.pulse.left },
  ]
  return (
    <div class="seat-bar">
      <div class="bar" aria-hidden="true">
        {parts.map(({ name, count }) => (
          <span key={name} class={name} style={{ width: `${(count / total) * 100}%` }} />
        ))}
      </div>
      <ul class="legend">
        {parts.map(({ name, count, says }) => (
          <li key={name} class={name}>
            {formatCount(count)} {says}
          </li>
        ))}
      </ul>
    </div>
  )
}
