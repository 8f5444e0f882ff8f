import { useEffect, useRef } from 'preact/hooks'
import type { Choosing } from './choosing.ts'
import { paintSeats } from './painter.ts'
import { readPalette } from './palette.ts'
import type { Seat, SeatLook, SeatTypeInfo } from './seat-model.ts'

/** What colours, patterns and shapes mean, drawn by the same hand as the map. */
export function Legend({ choosing }: { choosing: Choosing }) {
  const { words, model } = choosing
  const shown = new Set(model.shapes.map(({ type }) => type))
  const listed = model.types.filter((type) => type.isNumbered || shown.has(type))
  const any = listed.find(({ isNumbered }) => isNumbered)
  return (
    <ul class="legend" aria-label={words.legend}>
      {listed.map((type) => (
        <li key={type.id}>
          <Swatch type={type} look="free" /> {type.name} · {choosing.pricesOf(type)}
        </li>
      ))}
      {any && <Looks choosing={choosing} any={any} />}
    </ul>
  )
}

/** The four looks of a seat. */
function Looks({ choosing, any }: { choosing: Choosing; any: SeatTypeInfo }) {
  const { words, model } = choosing
  return (
    <>
      <li>
        <Swatch type={any} look="free" isChosen /> {words.chosen}
      </li>
      <li>
        <Swatch type={any} look="taken" /> {words.taken}
      </li>
      <li>
        <Swatch type={any} look="blocked" /> {words.blocked}
      </li>
      {model.seats.some(({ isAccessible }) => isAccessible) && (
        <li>
          <Swatch type={any} look="free" isAccessible /> {words.accessible}
        </li>
      )}
    </>
  )
}

const SIDE = 26

function Swatch({
  type,
  look,
  isChosen = false,
  isAccessible = false,
}: {
  type: SeatTypeInfo
  look: SeatLook
  isChosen?: boolean
  isAccessible?: boolean
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    context.setTransform(2, 0, 0, 2, 0, 0)
    const seat: Seat = { ...{ index: 0, id: '', type, row: '', number: 0, along: 0, isAccessible, look }, x: 0, y: 0 }
    context.clearRect(0, 0, SIDE, SIDE)
    const camera = { x: -SIDE / 2 / 22, y: -SIDE / 2 / 22, scale: 22 }
    paintSeats(context, {
      ...{ seats: [seat], camera, palette: readPalette(), focused: null },
      chosen: new Set(isChosen ? [seat] : []),
    })
  }, [type, look])
  return <canvas ref={canvas} width={2 * SIDE} height={2 * SIDE} class="swatch" />
}
