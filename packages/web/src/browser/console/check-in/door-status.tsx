import { DOOR_NAME_MAX } from '@seatwise/domain'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { formatCount, formatHour } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { tell } from '../kit/page.ts'
import type { DoorDesk } from './door-desk.ts'
import { entrance } from './door-words.ts'

/** Whether scans are checked with all doors or by this device alone. */
export function Connection({ desk }: { desk: DoorDesk }): VNode {
  const isOnline = desk.isOnline.value
  const waiting = desk.unsent.value
  return (
    <>
      <p class={`connection ${isOnline ? 'on' : 'off'}`} role="status">
        <Icon name={isOnline ? 'check' : 'pause'} />
        <span>
          {connection(desk)} {waiting > 0 && <strong>{tell(entrance.waiting, { count: waiting })}</strong>}
        </span>
      </p>
      {desk.problem.value !== '' && (
        <p class="notice bad" role="alert">
          {desk.problem}
        </p>
      )}
    </>
  )
}

/** Below what staff works with: how many are inside, which door this is, and what is on the device. */
export function DoorStatus({ desk, onDoor }: { desk: DoorDesk; onDoor: (door: string) => void }): VNode {
  return (
    <section class="stack">
      <div class="entrance">
        <Counts desk={desk} />
        <DoorField desk={desk} onDoor={onDoor} />
      </div>
      <ListLine desk={desk} />
    </section>
  )
}

function connection({ isOnline, list }: DoorDesk): string {
  if (isOnline.value) return entrance.online
  return list.value === null
    ? entrance.offlineNoList
    : tell(entrance.offline, { at: formatHour(new Date(list.value.at)) })
}

function DoorField({ desk, onDoor }: { desk: DoorDesk; onDoor: (door: string) => void }): VNode {
  return (
    <label class="field">
      {entrance.door}
      <input
        name="door"
        defaultValue={desk.door}
        maxLength={DOOR_NAME_MAX}
        autocomplete="off"
        aria-describedby="door-hint"
        onChange={({ currentTarget }) => {
          desk.door = currentTarget.value.trim() || entrance.mainDoor
          currentTarget.value = desk.door
          onDoor(desk.door)
        }}
      />
      <span id="door-hint" class="hint">
        {entrance.doorHint}
      </span>
    </label>
  )
}

function Counts({ desk }: { desk: DoorDesk }): VNode | null {
  const news = desk.news.value
  if (news === null) return null
  const { inside, valid, doors } = news
  const others = inside - doors.reduce((sum, door) => sum + door.in, 0)
  return (
    <div>
      <p class="label">{entrance.inside}</p>
      <p class="lead number">{tell(entrance.insideOf, { inside, valid })}</p>
      {doors.length > 0 && (
        <dl class="by-door" aria-label={entrance.byDoor}>
          {doors.map(({ door, in: count }) => (
            <div key={door}>
              <dt>{door}</dt>
              <dd class="number">{formatCount(count)}</dd>
            </div>
          ))}
          {others > 0 && (
            <div>
              <dt>{entrance.otherDoors}</dt>
              <dd class="number">{formatCount(others)}</dd>
            </div>
          )}
        </dl>
      )}
    </div>
  )
}

/** What is on this device, and the buttons that renew and remove it. */
function ListLine({ desk }: { desk: DoorDesk }): VNode {
  const [isBusy, setBusy] = useState(false)
  const run = (act: Promise<void>): void => {
    setBusy(true)
    // What goes wrong is what the next look tells.
    act.catch(() => undefined).finally(() => setBusy(false))
  }
  const list = desk.list.value
  const waits = desk.unsent.value > 0
  return (
    <div class="list-line small quiet">
      <span>
        {list === null
          ? STATES[desk.state.value]
          : tell(entrance.listOf, { count: list.tickets.size, at: formatHour(new Date(list.at)) })}
      </span>
      {desk.state.value !== 'needs-https' && (
        <button
          type="button"
          class="plain"
          disabled={isBusy || !desk.isOnline.value}
          onClick={() => run(desk.update())}
        >
          {entrance.update}
        </button>
      )}
      {list !== null && (
        <button type="button" class="plain" disabled={isBusy || waits} onClick={() => run(desk.forget())}>
          {entrance.forget}
        </button>
      )}
      {waits && <span>{entrance.sendFirst}</span>}
    </div>
  )
}

const STATES = {
  loading: entrance.loading,
  ready: entrance.loading,
  'needs-https': entrance.needsHttps,
  'bad-list': entrance.badList,
  forgotten: entrance.forgotten,
} as const
