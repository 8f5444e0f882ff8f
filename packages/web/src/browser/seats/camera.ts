/** A rectangle of the map. */
export interface Bounds {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** Where the map is looked at from: a point of the screen is `(map − origin) · scale`. */
export interface Camera {
  readonly x: number
  readonly y: number
  /** Pixels for one unit of the map. */
  readonly scale: number
}

const SCALE_MAX = 44
/** A scale that is off by rounding alone. */
const WHOLE = 1.01
/** Room for the letters of rows. */
const MARGIN = 1.9

/** The whole map, centred. */
export function wholeMap(bounds: Bounds, size: Size): Camera {
  const width = bounds.right - bounds.left + 2 * MARGIN
  const height = bounds.bottom - bounds.top + 2 * MARGIN
  const scale = Math.min(SCALE_MAX, size.width / width, size.height / height)
  return {
    x: (bounds.left + bounds.right) / 2 - size.width / scale / 2,
    y: (bounds.top + bounds.bottom) / 2 - size.height / scale / 2,
    scale,
  }
}

/** Zooms so that what is under a point of the screen stays there; never out of sight of the map. */
export function zoomAt(
  camera: Camera,
  factor: number,
  at: { x: number; y: number },
  bounds: Bounds,
  size: Size,
): Camera {
  const least = wholeMap(bounds, size).scale
  const scale = Math.min(SCALE_MAX, Math.max(least, camera.scale * factor))
  const moved = {
    x: camera.x + at.x / camera.scale - at.x / scale,
    y: camera.y + at.y / camera.scale - at.y / scale,
    scale,
  }
  return keepInSight(moved, bounds, size)
}

export function panBy(camera: Camera, dx: number, dy: number, bounds: Bounds, size: Size): Camera {
  return keepInSight({ ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale }, bounds, size)
}

/** After a phone was turned: what was in the middle stays there, as near as it was; who saw the whole map sees all of it. */
export function resized(camera: Camera, before: Size, after: Size, bounds: Bounds): Camera {
  const least = wholeMap(bounds, after)
  const sawAll = camera.scale <= wholeMap(bounds, before).scale * WHOLE
  if (sawAll || camera.scale < least.scale) return least
  const x = camera.x + (before.width - after.width) / camera.scale / 2
  const y = camera.y + (before.height - after.height) / camera.scale / 2
  return keepInSight({ ...camera, x, y }, bounds, after)
}

/** Brings a point of the map into the middle third of the screen, and no further; who sees the whole map sees it already. */
export function bringIntoView(camera: Camera, at: { x: number; y: number }, bounds: Bounds, size: Size): Camera {
  if (camera.scale <= wholeMap(bounds, size).scale * WHOLE) return camera
  const [x, y] = [(at.x - camera.x) * camera.scale, (at.y - camera.y) * camera.scale]
  const dx = x < size.width * 0.15 || x > size.width * 0.85 ? size.width / 2 - x : 0
  const dy = y < size.height * 0.15 || y > size.height * 0.85 ? size.height / 2 - y : 0
  return dx === 0 && dy === 0 ? camera : panBy(camera, dx, dy, bounds, size)
}

/** The middle of the screen is always over the map. */
function keepInSight(camera: Camera, bounds: Bounds, size: Size): Camera {
  const middle = { x: size.width / camera.scale / 2, y: size.height / camera.scale / 2 }
  const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
  return {
    ...camera,
    x: clamp(camera.x, bounds.left - middle.x, bounds.right - middle.x),
    y: clamp(camera.y, bounds.top - middle.y, bounds.bottom - middle.y),
  }
}

export function boundsOf(points: readonly { x: number; y: number }[]): Bounds {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { x, y } of points) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  return points.length === 0 ? { left: 0, top: 0, right: 1, bottom: 1 } : { left, top, right, bottom }
}
