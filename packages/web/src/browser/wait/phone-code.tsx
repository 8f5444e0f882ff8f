import { useEffect, useState } from 'preact/hooks'
import { groupCode } from '../../views/group-code.ts'
import type { WaitFacts } from '../../views/wait-view.ts'

export interface Handed {
  readonly code: string
  /** Where the code is typed. */
  readonly page: string
}

/** What takes the place to another device. What draws the code is loaded on demand. */
export function PhoneCode({ words, handed: { code, page } }: { words: WaitFacts['words']; handed: Handed }) {
  const [drawing, setDrawing] = useState<string | null>(null)
  const link = `${page}#${code}`
  useEffect(() => {
    void import('uqr').then(({ renderSVG }) => setDrawing(renderSVG(link, { ecc: 'L', border: 3 })))
  }, [link])
  return (
    <section class="sheet phone">
      <h2>{words.phoneTitle}</h2>
      {/* Drawn by us from our own address. */}
      {drawing && <div class="qr" dangerouslySetInnerHTML={{ __html: drawing }} />}
      <p>{words.phoneHow}</p>
      <dl class="answers">
        <div>
          <dt class="label">{words.phoneCode}</dt>
          <dd class="number">{groupCode(code)}</dd>
        </div>
        <div>
          <dt class="label">{words.phonePage}</dt>
          <dd>
            <a href={link}>{page}</a>
          </dd>
        </div>
      </dl>
      <p class="quiet">{words.phoneUntil}</p>
    </section>
  )
}
