import type { Neighbor, Place, PlaceState } from '@seatwise/client'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { tellClock } from '../../views/duration.ts'
import type { WaitAction } from '../../views/wait-actions.ts'
import { describeWait, type Outside, type WaitFacts, type WaitView } from '../../views/wait-view.ts'
import type { DeviceCheck } from './device-check.tsx'
import { DrawnLine } from './drawn-line.tsx'
import { type Handed, PhoneCode } from './phone-code.tsx'
import { Ring } from './ring.tsx'
import { ShowMe } from './show-me.tsx'
import type { Sound } from './sound.ts'
import type { Acts } from './start-waiting.tsx'
import { Icon } from './waiting-icon.tsx'

export interface WaitScreenProps {
  readonly facts: WaitFacts
  readonly place: PlaceState | Outside
  readonly live: Place | null
  readonly now: number
  readonly sound: Sound
  readonly neighbours: ReadonlyMap<number, Neighbor>
  readonly act: Acts
}

/** The waiting page as it moves. What it says is decided in `views/wait-view.ts`, for the server and for here. */
export function WaitScreen({ facts, place, live, now, sound, neighbours, act }: WaitScreenProps) {
  const view = describeWait(facts, place, now)
  const [problem, setProblem] = useState<string | null>(null)
  const [handed, setHanded] = useState<Handed | null>(null)
  const [isLeaving, setLeaving] = useState(false)
  useTitle(facts, view)

  const press = async (name: WaitAction['name']): Promise<void> => {
    setProblem(null)
    try {
      if (name === 'sound') sound.turnOn()
      else if (name === 'claim') await act.claim()
      else if (name === 'extend') await act.extend()
      else if (name === 'leave') setLeaving(true)
      else if (name === 'join' || name === 'joinAgain' || name === 'takeBack') await act.join()
      else if (name === 'handOver') setHanded(await act.handOver())
    } catch {
      setProblem(facts.words.failed)
    }
  }
  useEnter(view.state === 'turn', submitClaim)
  const actions = view.actions.filter(({ name }) => name !== 'sound' || !sound.isOn)
  // The place may end by itself while the question is open.
  const asksToLeave = isLeaving && actions.some(({ name }) => name === 'leave')

  return (
    <div class="wait" data-state={view.state}>
      <Head view={view} now={now} />
      {place.status !== 'outside' && place.logConflict && (
        <p class="notice bad" role="alert" data-log-conflict>
          {facts.words.logConflict} <a href={`/${facts.kind}s/${facts.id}/audit`}>{facts.words.seeEvidence}</a>
        </p>
      )}
      {view.trouble && <p class="notice bad">{view.trouble}</p>}
      {problem && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {view.reason && <p class="notice">{view.reason}</p>}
      {view.message && (
        <p class="notice message">
          <span class="label">{facts.words.fromOrganiser}</span>
          {view.message}
        </p>
      )}
      {view.line && <DrawnLine facts={facts} {...view.line} neighbours={neighbours} />}
      <dl class="answers">
        {view.answers.map(({ label, text }) => (
          <div key={label}>
            <dt class="label">{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {view.state === 'pre' && place.status === 'waiting' && live !== null && (
        <LaterCheck words={facts.words} place={place} isSoundOn={sound.isOn} />
      )}
      {view.line && live !== null && (
        <ShowMe
          facts={facts}
          shownAs={neighbours.get(0)?.name ?? null}
          name={live.state.name}
          showAs={(name) => act.showAs(name)}
        />
      )}
      {view.viewers && (
        <p class="quiet small">
          <Icon name="eye" /> {view.viewers}
        </p>
      )}
      {sound.isOn && view.line && (
        <p class="quiet small" role="status">
          {facts.words.soundIsOn}
        </p>
      )}
      {asksToLeave ? (
        <LeaveSure
          facts={facts}
          onLeave={() => {
            setLeaving(false)
            void act.leave().catch(() => setProblem(facts.words.failed))
          }}
          onStay={() => setLeaving(false)}
        />
      ) : (
        <div class="actions">
          {actions.map((action) => (
            <Action key={action.name} action={action} isReady={live !== null || isOutside(action)} onPress={press} />
          ))}
        </div>
      )}
      {handed && actions.some(({ name }) => name === 'handOver') && <PhoneCode words={facts.words} handed={handed} />}
    </div>
  )
}

const isOutside = ({ name }: WaitAction): boolean =>
  name === 'join' || name === 'joinAgain' || name === 'takeBack' || name === 'sound'

/** Loaded only where there is time for it. */
function LaterCheck(props: Parameters<typeof DeviceCheck>[0]) {
  const [Check, setCheck] = useState<typeof DeviceCheck | null>(null)
  useEffect(() => {
    void import('./device-check.tsx').then(({ DeviceCheck: loaded }) => setCheck(() => loaded))
  }, [])
  return Check && <Check {...props} />
}

function Head({ view, now }: { view: WaitView; now: number }) {
  return (
    <div class="wait-head">
      {view.label && <p class="label">{view.label}</p>}
      <h1>{view.headline}</h1>
      {view.number && (
        <p class="figures">
          <span class="position number">{view.number}</span> <span class="range">{view.range}</span>
        </p>
      )}
      {view.ring && <Ring endsAt={view.ring.endsAt} now={now} clock={tellClock(view.ring.endsAt - now)} />}
    </div>
  )
}

function Action({
  action,
  isReady,
  onPress,
}: {
  action: WaitAction
  isReady: boolean
  onPress: (name: WaitAction['name']) => Promise<void>
}) {
  const { name, label, isMain, href, post, icon } = action
  if (href !== undefined) {
    return (
      <a class={isMain ? 'button main' : 'button'} href={href}>
        <Icon name={icon} />
        {label}
      </a>
    )
  }
  // Before the script knows the place, and where another site is entered, the plain form does it.
  const isForm = post !== undefined && (!isReady || name === 'site' || name === 'appeal')
  const submit = (event: Event): void => {
    if (isForm) return
    event.preventDefault()
    void onPress(name)
  }
  return (
    <form method="post" action={post ?? ''} data-action={name} onSubmit={submit}>
      <button type="submit" class={isMain ? 'main' : ''}>
        <Icon name={icon} />
        {label}
      </button>
    </form>
  )
}

function LeaveSure({ facts, onLeave, onStay }: { facts: WaitFacts; onLeave: () => void; onStay: () => void }) {
  return (
    <div class="notice leave" role="alertdialog" aria-label={facts.words.leaveSure}>
      <p>{facts.words.leaveSure}</p>
      <div class="actions">
        <button type="button" onClick={onLeave}>
          {facts.words.leave}
        </button>
        <button type="button" class="main" onClick={onStay}>
          {facts.words.stay}
        </button>
      </div>
    </div>
  )
}

function useTitle(facts: WaitFacts, view: WaitView): void {
  const title = view.number === null ? `${view.headline} · ${facts.name}` : `${view.number} · ${facts.name}`
  useEffect(() => {
    document.title = title
  }, [title])
}

/** As if its button had been pressed, which also works before the script knows the place. */
function submitClaim(): void {
  document.querySelector<HTMLFormElement>('form[data-action=claim]')?.requestSubmit()
}

/** Enter goes in, wherever the focus is, except on a link or button. It works as soon as it is drawn. */
function useEnter(isOn: boolean, run: () => void): void {
  useLayoutEffect(() => {
    if (!isOn) return
    const listen = (event: KeyboardEvent): void => {
      const isElsewhere = event.target instanceof Element && event.target.closest('a, button, input') !== null
      if (event.key === 'Enter' && !isElsewhere) run()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [isOn])
}
