import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { NumberField } from '../../kit/number-field.tsx'
import { words } from '../../kit/page.ts'

/** A picture that lies under the plan while it is drawn. It stays in this browser: nothing of it is sent or saved. */
export interface Tracing {
  readonly url: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** In percent. */
  readonly opacity: number
}

/** As wide as a plan at first; the operator makes it fit. */
const WIDTH = 720
const WIDTH_MAX = 20_000

interface TracingProps {
  readonly tracing: Tracing | null
  readonly onTracing: (tracing: Tracing | null) => void
}

/** Chooses the picture, and says how large, where and how strong it is. */
export function TracingTools({ tracing, onTracing }: TracingProps): VNode {
  const [said, setSaid] = useState('')
  const choose = (file: File | undefined): void => {
    if (file === undefined) return
    setSaid('')
    readPicture(file).then(onTracing, () => setSaid(words.plan.badPicture))
  }
  const resize = (current: Tracing, width: number): void =>
    onTracing({ ...current, width, height: (current.height / current.width) * width })
  return (
    <div class="finder tracing-tools">
      <label class="field file">
        {words.plan.picture}
        <input
          type="file"
          name="plan-picture"
          accept="image/*"
          onChange={(event) => choose(event.currentTarget.files?.[0])}
        />
      </label>
      {tracing === null ? null : (
        <>
          <NumberField
            label={words.plan.pictureWidth}
            isNarrow
            name="picture-width"
            min={1}
            max={WIDTH_MAX}
            value={Math.round(tracing.width)}
            onNumber={(width) => resize(tracing, width)}
          />
          {(['x', 'y'] as const).map((side) => (
            <NumberField
              key={side}
              label={side === 'x' ? words.edit.left : words.edit.top}
              isNarrow
              min={-WIDTH_MAX}
              max={WIDTH_MAX}
              value={Math.round(tracing[side])}
              onNumber={(value) => onTracing({ ...tracing, [side]: value })}
            />
          ))}
          <NumberField
            label={words.plan.opacity}
            isNarrow
            min={5}
            max={100}
            value={tracing.opacity}
            onNumber={(opacity) => onTracing({ ...tracing, opacity })}
          />
          <button type="button" onClick={() => onTracing(null)}>
            {words.plan.removePicture}
          </button>
        </>
      )}
      <span role="status">{said}</span>
    </div>
  )
}

/** As a data address: the content policy of the page lets no other kind of local picture in. */
async function readPicture(file: File): Promise<Tracing> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error('The picture cannot be read', { cause: reader.error }))
    reader.readAsDataURL(file)
  })
  const image = new Image()
  image.src = url
  await image.decode()
  const height = (image.naturalHeight / image.naturalWidth) * WIDTH
  return { url, x: -WIDTH / 2, y: -60, width: WIDTH, height, opacity: 50 }
}
