/** What fingers, mouse and wheel mean. Points are in pixels from the corner of the map. */
export interface Gestures {
  pan(dx: number, dy: number): void
  zoom(factor: number, at: { x: number; y: number }): void
  tap(at: { x: number; y: number }, isTouch: boolean): void
  hover(at: { x: number; y: number } | null): void
}

/** A finger that moved less than this tapped. */
const TAP_PX = 7

/** Listens on the map until the returned function is called. */
export function listenToGestures(element: HTMLElement, gestures: Gestures): () => void {
  const pointers = new Map<number, { x: number; y: number }>()
  let moved = 0
  let wasPinch = false
  const point = (event: MouseEvent): { x: number; y: number } => {
    const { left, top } = element.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  const on: { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void } = {
    pointerdown(event) {
      element.setPointerCapture(event.pointerId)
      pointers.set(event.pointerId, point(event))
      if (pointers.size === 1) [moved, wasPinch] = [0, false]
      else wasPinch = true
    },
    pointermove(event) {
      const before = pointers.get(event.pointerId)
      const now = point(event)
      if (before === undefined) {
        gestures.hover(now)
        return
      }
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
      if (other !== undefined) pinch(gestures, before, now, other)
      moved += Math.hypot(now.x - before.x, now.y - before.y)
      if (other === undefined && moved > TAP_PX) gestures.pan(now.x - before.x, now.y - before.y)
      pointers.set(event.pointerId, now)
    },
    pointerup(event) {
      const isTap = pointers.delete(event.pointerId) && pointers.size === 0 && moved <= TAP_PX && !wasPinch
      if (isTap) gestures.tap(point(event), event.pointerType === 'touch')
    },
    pointercancel(event) {
      pointers.delete(event.pointerId)
    },
    pointerleave() {
      gestures.hover(null)
    },
  }
  const wheel = (event: WheelEvent): void => {
    event.preventDefault()
    const step = event.deltaMode === 1 ? 16 : 1
    gestures.zoom(Math.exp(-event.deltaY * step * 0.0018), point(event))
  }
  const names = Object.keys(on) as (keyof typeof on)[]
  for (const name of names) element.addEventListener(name, on[name] as EventListener)
  element.addEventListener('wheel', wheel, { passive: false })
  return () => {
    for (const name of names) element.removeEventListener(name, on[name] as EventListener)
    element.removeEventListener('wheel', wheel)
  }
}

/** Two fingers: what is between them stays between them. */
function pinch(
  gestures: Gestures,
  before: { x: number; y: number },
  now: { x: number; y: number },
  other: { x: number; y: number },
): void {
  const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
  const far = Math.hypot(before.x - other.x, before.y - other.y)
  gestures.pan((now.x - before.x) / 2, (now.y - before.y) / 2)
  if (far > 0) gestures.zoom(Math.hypot(now.x - other.x, now.y - other.y) / far, middle)
}
