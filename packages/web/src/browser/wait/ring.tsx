import { useRef } from 'preact/hooks'

const RADIUS = 92
const LENGTH = 2 * Math.PI * RADIUS

/** Time that runs out, as a ring: full when it is first seen, gone when it is over. */
export function Ring({ endsAt, now, clock }: { endsAt: number; now: number; clock: string }) {
  const whole = useRef({ endsAt: 0, ms: 1 })
  if (whole.current.endsAt !== endsAt) whole.current = { endsAt, ms: Math.max(1, endsAt - now) }
  const share = Math.min(1, Math.max(0, (endsAt - now) / whole.current.ms))
  return (
    <div class="ring" role="timer">
      <svg viewBox="0 0 200 200" aria-hidden="true">
        <circle class="track" cx="100" cy="100" r={RADIUS} />
        <circle
          class="rest"
          cx="100"
          cy="100"
          r={RADIUS}
          stroke-dasharray={LENGTH}
          stroke-dashoffset={LENGTH * (1 - share)}
        />
      </svg>
      <span class="number">{clock}</span>
    </div>
  )
}
