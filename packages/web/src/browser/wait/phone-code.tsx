import { useEffect, useState } from 'preact/hooks'
import type { WaitFacts } from '../../views/wait-view.ts'

/** A code that takes the place to a phone. What draws it is loaded when somebody wants it. */
export function PhoneCode({ words, link }: { words: WaitFacts['words']; link: string }) {
  const [drawing, setDrawing] = useState<string | null>(null)
  useEffect(() => {
    void import('uqr').then(({ renderSVG }) => setDrawing(renderSVG(link, { ecc: 'L', border: 3 })))
  }, [link])
  return (
    <section class="sheet phone">
      <h2>{words.phoneTitle}</h2>
      {/* Drawn by us from our own address. */}
      {drawing && <div class="qr" dangerouslySetInnerHTML={{ __html: drawing }} />}
      <p>{words.phoneHow}</p>
      <p class="quiet">{words.phoneUntil}</p>
    </section>
  )
}
