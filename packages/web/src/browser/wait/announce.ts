import type { WaitView } from '../../views/wait-view.ts'

/** A number is said at most this often; a change of state at once. */
const QUIET_MS = 30_000

/** Speaks to screen readers, calmly. */
export function createAnnouncer(): (view: WaitView) => void {
  const polite = region('polite')
  const urgent = region('assertive')
  let state: string | null = null
  let said = ''
  let saidAt = 0
  return (view) => {
    const now = Date.now()
    if (state !== null && view.state !== state) {
      const target = view.state === 'turn' ? urgent : polite
      target.textContent = [view.headline, ...view.answers.map(({ text }) => text)].join(' ')
      saidAt = now
      said = view.aloud
    } else if (view.aloud !== said && now - saidAt >= QUIET_MS) {
      polite.textContent = view.aloud
      saidAt = now
      said = view.aloud
    }
    state = view.state
  }
}

function region(kind: 'polite' | 'assertive'): HTMLElement {
  const element = document.createElement('div')
  element.className = 'heard'
  element.setAttribute('aria-live', kind)
  document.body.append(element)
  return element
}
