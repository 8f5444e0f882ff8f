import type { VNode } from 'preact'
import { formatClock } from '../kit/format.ts'
import { tell } from '../kit/page.ts'
import type { DoorDesk, TroubledScan } from './door-desk.ts'
import { entrance, nameSeat } from './door-words.ts'

/** Who was let in by a door without a connection and should not have been: staff looks for them inside. */
export function Troubled({ desk }: { desk: DoorDesk }): VNode | null {
  const troubled = desk.news.value?.troubled ?? []
  const notTaken = desk.notTaken.value
  if (troubled.length === 0 && notTaken === 0) return null
  return (
    <section class="stack" aria-labelledby="troubled">
      <h2 id="troubled">{entrance.troubled}</h2>
      <p class="quiet">{entrance.troubledLead}</p>
      <ul class="checks two">
        {troubled.map((scan) => (
          <li key={scan.id} class="no-go">
            <strong>{nameSeat(scan.seat)}</strong>
            <span>{describe(scan)}</span>
          </li>
        ))}
      </ul>
      {notTaken > 0 && <p class="notice bad">{tell(entrance.notTaken, { count: notTaken })}</p>}
    </section>
  )
}

function describe({ outcome, door, scannedAt, countedDoor, checkedInAt }: TroubledScan): string {
  const second = nameDoor(door, scannedAt)
  if (outcome === 'void' || checkedInAt === null) return tell(entrance.wasVoid, { second })
  return tell(entrance.twice, { first: nameDoor(countedDoor, checkedInAt), second })
}

const nameDoor = (door: string | null, at: string): string =>
  tell(entrance.doorAt, { door: door ?? entrance.noDoor, at: formatClock(at) })
