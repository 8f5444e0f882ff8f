import type { Bounds, Camera, Size } from './camera.ts'
import { paintSeats, type Scene } from './painter.ts'
import type { Palette } from './palette.ts'
import type { Seat } from './seat-model.ts'

/** The longest side of the picture. Larger ones are slower than drawing seats again. */
const SIDE_MAX = 2_048
/** Enlarged more than this, a picture shows nothing. Only plans with seats far from the others come to it. */
const ENLARGED_MAX = 16

/**
 * A picture of the whole map, for when thousands of seats are on the screen at once: moving a picture costs the same
 * however many seats are in it. A seat that changes is drawn anew in it alone.
 */
export class Overview {
  readonly #canvas = document.createElement('canvas')
  readonly #bounds: Bounds
  readonly #scale: number
  #isStale = true

  constructor(bounds: Bounds) {
    this.#bounds = { left: bounds.left - 1, top: bounds.top - 1, right: bounds.right + 1, bottom: bounds.bottom + 1 }
    const { width, height } = this.#extent()
    this.#scale = Math.min(24, SIDE_MAX / Math.max(width, height))
    this.#canvas.width = Math.ceil(width * this.#scale)
    this.#canvas.height = Math.ceil(height * this.#scale)
  }

  forget(): void {
    this.#isStale = true
  }

  /** Whether there is anything to see in the picture from so near. */
  isSharp({ scale }: Camera): boolean {
    return scale <= this.#scale * ENLARGED_MAX
  }

  /** Draws the part of the picture that the camera sees. */
  paint(context: CanvasRenderingContext2D, camera: Camera, all: readonly Seat[], palette: Palette): void {
    if (this.#isStale) this.#draw(all, palette)
    const { left, top } = this.#bounds
    const { width, height } = this.#extent()
    const at = { x: (left - camera.x) * camera.scale, y: (top - camera.y) * camera.scale }
    context.drawImage(this.#canvas, at.x, at.y, width * camera.scale, height * camera.scale)
  }

  #draw(seats: readonly Seat[], palette: Palette): void {
    const context = this.#canvas.getContext('2d')
    if (context === null) return
    const { left, top } = this.#bounds
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height)
    const scene: Scene = {
      seats,
      palette,
      chosen: new Set(),
      focused: null,
      camera: { x: left, y: top, scale: this.#scale },
    }
    paintSeats(context, scene)
    this.#isStale = false
  }

  #extent(): Size {
    const { left, top, right, bottom } = this.#bounds
    return { width: right - left, height: bottom - top }
  }
}
