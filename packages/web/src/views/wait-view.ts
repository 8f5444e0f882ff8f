import type { PlaceState, Waiting } from '@seatwise/client'
import type { Language } from '../language.ts'
import { formatNumber, say } from '../words/say.ts'
import type { Words } from '../words/words.ts'
import { chanceOf } from './chance.ts'
import { tellClock, tellDistance, tellWait } from './duration.ts'
import { ownMoment, tellMoment, tellMomentNamed } from './moment.ts'
import { secondsLeft } from './seconds-left.ts'
import { type ActionName, actionsOf, type WaitAction } from './wait-actions.ts'

/** What does not change during the wait. */
export interface WaitFacts {
  readonly language: Language
  readonly words: Words['wait']
  readonly kind: 'event' | 'room'
  /** As in the address of the page: the event's id, or the room's. */
  readonly id: string
  readonly name: string
  /** When it opens, for those who came before; in ms. */
  readonly opensAt: number | null
  /** Of the venue; null where there is none. */
  readonly timeZone: string | null
  readonly seatsPerBuyerMax: number
  /** How long a visitor may be away without losing the place. */
  readonly awaySeconds: number
  /** The line stays when everything is sold. */
  readonly keepsLine: boolean
  /** Returned seats are offered by mail to those who ask for them on the event's page. */
  readonly hasReturns: boolean
  /** Those who wait when it opens draw their places. */
  readonly isDrawn: boolean
  /** Where a visitor of a room wants to go afterwards. */
  readonly to: string | null
}

/** A visitor without a place, and why. */
export interface Outside {
  readonly status: 'outside'
  readonly why:
    | 'before'
    | 'ended'
    | 'sold_out'
    | 'sign_in'
    | 'full'
    | 'guests'
    | 'device'
    | 'invited'
    | 'verified'
    | 'rush'
    | 'challenge'
    | 'open'
  /** A code that was typed does not let in. */
  readonly isWrong?: boolean
  /** A device that has its tickets already: how the operator finds it, and whether the visitor asked for another one. */
  readonly verdict?: { readonly reference: string; readonly isAsked: boolean }
  /** In a rush: when the page tries to join again. */
  readonly retrySeconds?: number
  /** What counts instead of a proof of work, without a script. */
  readonly wait?: { readonly token: string; readonly seconds: number }
  /** How far the script is with the proof of work, from 0 to 1. */
  readonly solved?: number
}

/** What is shown: one headline, and the four answers that every visitor in a line looks for. */
export interface WaitView {
  /** Changes when the state does, not when a number does. */
  readonly state: string
  readonly label: string | null
  readonly headline: string
  /** The position, large. */
  readonly number: string | null
  /** How long it takes, beside it. */
  readonly range: string | null
  readonly answers: readonly { readonly label: string; readonly text: string }[]
  /** Why something is worse than it was. */
  readonly reason: string | null
  readonly trouble: string | null
  readonly message: string | null
  readonly viewers: string | null
  readonly ring: { readonly endsAt: number; readonly seconds: number } | null
  readonly line: { readonly position: number; readonly waiting: number } | null
  readonly actions: readonly WaitAction[]
  /** What a screen reader says when nothing else changed. */
  readonly aloud: string
}

/** Under this many seconds the visitor is asked to stay close. */
const NEAR_SECONDS = 120
const NEAR_POSITION = 3

export function describeWait(facts: WaitFacts, place: PlaceState | Outside, nowMs: number): WaitView {
  switch (place.status) {
    case 'outside':
      return outside(facts, place, nowMs)
    case 'waiting':
      return waiting(facts, place, nowMs)
    case 'admitted':
      return turn(facts, place, nowMs)
    case 'active': {
      const { words, language } = facts
      const isSite = facts.kind !== 'event'
      const when = say(language, words.floorWhen, { time: tellClock(place.endsAt - nowMs) })
      const goOn: ActionName = place.reservation === null ? 'seats' : 'checkout'
      const names: ActionName[] = [isSite ? 'site' : goOn, ...(place.extended ? [] : (['extend'] as const)), 'handOver']
      return {
        ...blank(facts, 'floor', words.floorTitle, {
          safe: words.floorSafe,
          when,
          todo: isSite ? words.floorTodoSite : words.floorTodo,
        }),
        actions: actionsOf(facts, names, place.reservation?.id ?? null),
      }
    }
    case 'completed':
      return facts.kind === 'event'
        ? ended(facts, 'done', { todo: facts.words.doneTodo }, ['tickets', 'joinAgain'])
        : ended(facts, 'done', { todo: facts.words.doneTodoSite }, ['joinAgain'])
    case 'moved':
      return ended(facts, 'moved', { todo: facts.words.movedTodo }, ['takeBack'])
    case 'lost':
      return ended(facts, 'lost', { todo: facts.words.againTodo }, ['join'])
    case 'expired':
      return expired(facts, place.reason)
  }
}

function waiting(facts: WaitFacts, place: Waiting, nowMs: number): WaitView {
  const { language, words } = facts
  const { room, position } = place
  const phase = room?.phase ?? 'open'
  if (phase === 'sold_out') {
    const around = surroundings(facts, place)
    return { ...soldOutInLine(facts), ...around, line: facts.keepsLine ? around.line : null }
  }
  if (phase === 'pre') return preQueue(facts, place, nowMs)
  const isPaused = phase === 'paused'
  const seconds = secondsLeft(place, nowMs)
  const isNear = !isPaused && (seconds === null ? position <= NEAR_POSITION : seconds.from <= NEAR_SECONDS)
  const isScarce = place.eta.reason === 'seats_may_run_out' || position > (room?.remainingSeats ?? position)
  const unknown = isScarce ? words.unknownScarce : words.unknown
  const when = isPaused ? words.notMoving : seconds === null ? unknown : tellWait(language, words, seconds)
  const headline = isPaused ? words.pausedTitle : isNear ? words.nearTitle : words.inLine
  const isWorse = place.eta.reason !== null && place.eta.reason in words.slower
  const safe = isPaused ? words.pausedSafe : place.away ? words.awaySafe : words.safe
  const todo = isPaused ? words.pausedTodo : isNear ? words.nearTodo : tellAbsence(facts)
  const state = isPaused ? 'paused' : place.away ? 'back' : isNear ? 'near' : 'far'
  return {
    ...blank(facts, state, place.away && !isPaused ? words.backTitle : headline, {
      safe: `${safe}${tellGroup(facts, place)} ${position > 1 ? say(language, words.ahead, { count: position - 1 }) : words.first}`,
      when: seconds === null || isPaused ? when : place.eta.basis === 'configured' ? words.firstEstimate : null,
      left: tellStock(facts, place),
      todo,
    }),
    label: headline === words.inLine && !place.away ? null : words.inLine,
    number: formatNumber(language, position),
    range: seconds === null || isPaused ? null : when,
    reason: reasonOf(words, place, isWorse && !isPaused),
    ...surroundings(facts, place),
    actions: actionsOf(facts, ['sound', 'handOver', 'leave']),
    aloud: `${words.inLine}: ${formatNumber(language, position)}. ${when}`,
  }
}

/** Before the line opens, and while it is drawn: there is no position yet. */
function preQueue(facts: WaitFacts, place: Waiting, nowMs: number): WaitView {
  const { language, words, opensAt, isDrawn } = facts
  const leftMs = opensAt === null ? 0 : opensAt - nowMs
  const isDrawing = leftMs <= 0
  const headline = isDrawing ? words.drawingTitle : isDrawn ? words.drawTitle : words.preTitle
  const opening =
    opensAt === null || isDrawing ? null : say(language, words.beforeWhen, { time: tellOpening(facts, opensAt) })
  const { message, viewers, trouble } = surroundings(facts, place)
  return {
    ...blank(facts, isDrawing ? 'drawing' : 'pre', headline, {
      safe: `${isDrawn ? words.drawSafe : words.preSafe}${tellGroup(facts, place)}`,
      when: isDrawing ? words.drawingWhen : opening,
      left: say(language, words.preCount, { count: place.queueLength }),
      todo: words.preTodo,
    }),
    number: isDrawing ? null : tellDistance(language, leftMs),
    ...{ message, viewers, trouble },
    actions: actionsOf(facts, ['sound', 'handOver', 'leave']),
    aloud: headline,
  }
}

const tellGroup = ({ language, words }: WaitFacts, { group }: Waiting): string =>
  group === undefined || group.people < 2 ? '' : ` ${say(language, words.together, { count: group.people })}`

/** The page must stay open, and how long it may be closed, or its device asleep. */
function tellAbsence({ language, words, awaySeconds }: WaitFacts): string {
  return say(language, words.waitTodo, { count: Math.max(1, Math.floor(awaySeconds / 60)) })
}

function reasonOf(words: Words['wait'], place: Waiting, isWorse: boolean): string | null {
  if (place.riseReason !== null) return words.rose[place.riseReason]
  return isWorse ? words.slower[place.eta.reason as keyof Words['wait']['slower']] : null
}

function tellStock({ language, words, seatsPerBuyerMax }: WaitFacts, { room, position }: Waiting): string | null {
  const left = room?.remainingSeats ?? null
  if (left === null) return null
  const chance = words.chance[chanceOf(position - 1, left, seatsPerBuyerMax)]
  return `${say(language, words.left, { count: left })} ${chance}`
}

/** What is around a visitor, whatever the state of the line. */
function surroundings({ language, words }: WaitFacts, { room, viewers, position, queueLength, reach }: Waiting) {
  return {
    line: { position, waiting: Math.max(position, queueLength) },
    message: room?.message ?? null,
    viewers: viewers === null || viewers < 2 ? null : say(language, words.viewers, { count: viewers }),
    trouble: reach === 'ok' ? null : words[reach],
  }
}

function soldOutInLine(facts: WaitFacts): WaitView {
  const { words } = facts
  return {
    ...blank(facts, 'sold-out', words.soldOutTitle, {
      safe: facts.keepsLine ? words.soldOutStaySafe : words.soldOutSafe,
      left: words.soldOutLeft,
      todo: facts.keepsLine ? words.soldOutStayTodo : soldOutTodo(facts),
    }),
    actions: actionsOf(facts, facts.keepsLine ? ['sound', 'handOver', 'leave'] : soldOutWays(facts)),
  }
}

const soldOutTodo = ({ words, hasReturns }: WaitFacts): string =>
  hasReturns ? words.soldOutReturns : words.soldOutTodo
/** The first is what helps most. */
const soldOutWays = ({ hasReturns }: WaitFacts): ActionName[] =>
  hasReturns ? ['event', 'events'] : ['events', 'event']

function turn(facts: WaitFacts, place: { endsAt: number; extended: boolean }, nowMs: number): WaitView {
  const { language, words } = facts
  const seconds = Math.max(0, Math.ceil((place.endsAt - nowMs) / 1000))
  return {
    ...blank(facts, 'turn', words.turnTitle, {
      safe: words.turnSafe,
      when: say(language, words.turnWhen, { count: seconds }),
      todo: facts.kind === 'event' ? words.turnTodo : words.turnTodoSite,
    }),
    ring: { endsAt: place.endsAt, seconds },
    actions: actionsOf(facts, ['claim', ...(place.extended ? [] : (['extend'] as const)), 'handOver', 'leave']),
  }
}

function outside(facts: WaitFacts, place: Outside, nowMs: number): WaitView {
  const { why, retrySeconds = 1 } = place
  const { words, language } = facts
  switch (why) {
    case 'before':
      return before(facts, nowMs)
    case 'sign_in':
      return withActions(facts, 'sign-in', words.signInToJoin, { todo: words.signInTodo }, ['signIn'])
    case 'full':
      return withActions(facts, 'full', words.fullTitle, { safe: words.fullSafe, todo: words.fullTodo }, ['join'])
    case 'rush': {
      const when = say(language, words.rushWhen, { count: retrySeconds })
      return withActions(facts, 'rush', words.rushTitle, { safe: words.rushSafe, when, todo: words.rushTodo }, ['join'])
    }
    case 'challenge':
      return challenge(facts, place)
    case 'guests':
      return withActions(facts, 'guests', words.guestsTitle, { safe: words.guestsSafe, todo: words.guestsTodo }, [
        'signIn',
      ])
    case 'invited': {
      const answers = { safe: words.invitedSafe, todo: words.invitedTodo }
      const view = withActions(facts, 'invited', words.invitedTitle, answers, ['signIn'])
      return { ...view, trouble: place.isWrong === true ? words.invitationWrong : null }
    }
    case 'verified':
      return withActions(facts, why, words.verifiedTitle, { safe: words.verifiedSafe, todo: words.verifiedTodo }, [
        'signIn',
      ])
    case 'device':
      return device(facts, place)
    case 'sold_out':
      return expired(facts, 'sold_out')
    case 'ended':
      return expired(facts, 'sale_ended')
    case 'open':
      return withActions(facts, 'open', facts.name, { todo: words.join }, ['join'])
  }
}

/** Told why, and what to do about it: a visitor who is judged wrongly asks the organiser. */
function device(facts: WaitFacts, { verdict }: Outside): WaitView {
  const { words, language } = facts
  const { reference = '', isAsked = false } = verdict ?? {}
  const when = say(language, isAsked ? words.deviceAsked : words.deviceReference, { reference })
  const answers = { safe: words.deviceSafe, when, todo: isAsked ? words.deviceWait : words.deviceTodo }
  return withActions(facts, 'device', words.deviceTitle, answers, isAsked ? ['signIn'] : ['signIn', 'appeal'])
}

/** With a script, how far the proof is; without one, how long the wait takes that counts instead. */
function challenge(facts: WaitFacts, { wait, solved }: Outside): WaitView {
  const { words, language } = facts
  const when =
    solved !== undefined
      ? say(language, words.proofWhen, { percent: Math.floor(solved * 100) })
      : say(language, words.proofWait, { count: wait?.seconds ?? 0 })
  const answers = { safe: words.proofSafe, when, todo: words.proofTodo }
  return { ...blank(facts, 'challenge', words.proofTitle, answers), aloud: words.proofTitle }
}

function before(facts: WaitFacts, nowMs: number): WaitView {
  const { language, words, opensAt, kind } = facts
  const when = opensAt === null ? null : say(language, words.beforeWhen, { time: tellOpening(facts, opensAt) })
  const answers = { safe: words.beforeSafe, when, todo: words.beforeTodo }
  return {
    ...blank(facts, 'before', words.beforeTitle, answers),
    number: opensAt === null ? null : tellDistance(language, opensAt - nowMs),
    actions: actionsOf(facts, kind === 'event' ? ['remind', 'event'] : []),
    aloud: words.beforeTitle,
  }
}

/** In venue time; a browser in another time zone adds its own time. */
function tellOpening({ language, words, timeZone }: WaitFacts, opensAt: number): string {
  const zone = timeZone ?? 'UTC'
  const named = tellMomentNamed(language, opensAt, zone, 'full')
  if (typeof document === 'undefined') return named
  const own = ownMoment(language, opensAt, zone)
  if (own === null) return tellMoment(language, opensAt, zone, 'full')
  return `${named} (${say(language, words.ownTime, own)})`
}

function expired(facts: WaitFacts, reason: string): WaitView {
  const { words } = facts
  switch (reason) {
    case 'sold_out':
      return ended(facts, 'soldOut', { left: words.soldOutLeft, todo: soldOutTodo(facts) }, soldOutWays(facts))
    case 'sale_ended':
      return ended(facts, 'ended', { todo: words.endedTodo }, ['events'])
    case 'no_show':
      return ended(facts, 'missed', { todo: words.againTodo }, ['joinAgain'])
    case 'timeout':
      return ended(facts, 'timeout', { todo: words.againTodo }, ['joinAgain'])
    case 'terminated':
      return ended(facts, 'removed', { todo: words.againTodo }, ['joinAgain'])
    default:
      return ended(facts, 'left', { todo: words.againTodo }, ['joinAgain', 'event'])
  }
}

type Ending = 'done' | 'moved' | 'lost' | 'soldOut' | 'ended' | 'missed' | 'timeout' | 'removed' | 'left'

function ended(facts: WaitFacts, ending: Ending, answers: Answers, names: readonly ActionName[]): WaitView {
  const { words } = facts
  const safe = words[`${ending}Safe`]
  return withActions(facts, ending, words[`${ending}Title`], { safe, ...answers }, names)
}

interface Answers {
  readonly safe?: string
  readonly when?: string | null
  readonly left?: string | null
  readonly todo: string
}

function withActions(
  facts: WaitFacts,
  state: string,
  headline: string,
  answers: Answers,
  names: readonly ActionName[],
) {
  return { ...blank(facts, state, headline, answers), actions: actionsOf(facts, names) }
}

function blank({ words }: WaitFacts, state: string, headline: string, { safe, when, left, todo }: Answers): WaitView {
  const rows = [
    { label: words.place, text: safe ?? '' },
    { label: words.turn, text: when ?? '' },
    { label: words.seats, text: left ?? '' },
    { label: words.todo, text: todo },
  ]
  return {
    ...{
      state,
      headline,
      label: null,
      number: null,
      range: null,
      reason: null,
      trouble: null,
      message: null,
      viewers: null,
    },
    ...{ ring: null, line: null, actions: [], aloud: headline },
    answers: rows.filter(({ text }) => text !== ''),
  }
}
