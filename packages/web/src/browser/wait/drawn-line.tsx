import type { Neighbor } from '@seatwise/client'
import { type Dot, DRAWING, drawLine } from '../../views/line-drawing.ts'
import type { WaitFacts } from '../../views/wait-view.ts'
import { say } from '../../words/say.ts'

export interface DrawnLineProps {
  readonly facts: WaitFacts
  readonly position: number
  readonly waiting: number
  readonly neighbours: ReadonlyMap<number, Neighbor>
}

/** The line from the door to you. Each dot keeps its person, so that all dots move when a person goes in. */
export function DrawnLine({ facts, position, waiting, neighbours }: DrawnLineProps) {
  const { dots, peoplePerDot } = drawLine(position, waiting)
  return (
    <figure class="line">
      <svg viewBox={`0 0 ${DRAWING.width} ${DRAWING.height}`} aria-hidden="true">
        <path class="door" d="M18 118V26h34v92M8 118h56M43 74v4" />
        {dots.map((dot) => (
          <Person
            key={dot.key}
            dot={dot}
            name={peoplePerDot === 1 ? neighbours.get(Number(dot.key))?.name : null}
            label={facts.words.you}
          />
        ))}
      </svg>
      <figcaption class="quiet small">{say(facts.language, facts.words.dotStands, { count: peoplePerDot })}</figcaption>
    </figure>
  )
}

/** Moved by style, which the browser animates; the attributes of a circle it does not. */
function Person({ dot, name, label }: { dot: Dot; name: string | null | undefined; label: string }) {
  const { who, x, y } = dot
  const initial = [...(name ?? '')][0]?.toUpperCase()
  return (
    <g class={`person ${who}`} style={{ transform: `translate(${x}px, ${y}px)` }}>
      <circle class={who} r={who === 'you' ? 11 : initial ? 10 : 7} />
      {initial && who !== 'you' && (
        <text class="initial" y="4">
          {initial}
        </text>
      )}
      {who === 'you' && (
        <text class="you" y="38">
          {label}
        </text>
      )}
    </g>
  )
}
