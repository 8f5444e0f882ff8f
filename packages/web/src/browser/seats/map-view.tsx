import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../icon.tsx'
import type { Camera } from './camera.ts'
import type { Choosing } from './choosing.ts'
import { OfferBubble } from './offer-bubble.tsx'
import { spotOf } from './painter.ts'
import { SeatMap, type Tip, ZOOM_STEP } from './seat-map.ts'

/** The map, with what lies over it: the stage, buttons to zoom, and what is said beside the finger. */
export function MapView({ choosing }: { choosing: Choosing }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const map = useRef<SeatMap | null>(null)
  const tip = useSignal<Tip | null>(null)
  const camera = useSignal<Camera>({ x: 0, y: 0, scale: 1 })
  // Not a frame after it is drawn: a finger that is quicker would press nothing.
  useLayoutEffect(() => {
    if (canvas.current === null) return
    map.current = new SeatMap(canvas.current, choosing, camera, tip)
    return () => map.current?.stop()
  }, [choosing])
  const { words } = choosing
  const offer = choosing.offer.value
  const hasStage = choosing.model.shapes.some(({ kind }) => kind === 'stage')

  return (
    <div class="map">
      {/* A plan that draws its stage says on the map where it is. */}
      <p class={hasStage ? 'stage drawn' : 'stage'} aria-hidden="true">
        {words.stage}
      </p>
      <div class="hall">
        {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: the map handles keys itself, as its label says */}
        <canvas
          ref={canvas}
          tabIndex={0}
          role="application"
          aria-label={choosing.say(words.mapOf, { name: choosing.data.event.name })}
          onKeyDown={(event) => map.current?.press(event)}
        />
        <p class="heard" aria-live="polite">
          {choosing.focused.value ? choosing.describe(choosing.focused.value) : ''}
        </p>
        {tip.value && (
          <p class="tip" aria-hidden="true" style={{ left: `${tip.value.x}px`, top: `${tip.value.y}px` }}>
            {tip.value.text}
          </p>
        )}
        {offer && <OfferBubble choosing={choosing} offer={offer} at={spotOf(offer.lost, camera.value)} />}
      </div>
      <div class="zoom">
        <button type="button" aria-label={words.zoomIn} onClick={() => map.current?.zoom(ZOOM_STEP)}>
          <Icon name="plus" />
        </button>
        <button type="button" aria-label={words.zoomOut} onClick={() => map.current?.zoom(1 / ZOOM_STEP)}>
          <Icon name="minus" />
        </button>
        <button type="button" onClick={() => map.current?.showWhole()}>
          {words.wholeMap}
        </button>
      </div>
    </div>
  )
}
