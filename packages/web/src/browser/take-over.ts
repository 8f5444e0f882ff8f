import { acceptPlace } from '@seatwise/client'
import { readPageData } from './page-data.ts'

interface HandoverData {
  readonly words: { readonly handoverBad: string; readonly missingCode: string }
}

/**
 * Takes a place over with the code behind the `#`. Only when somebody says so: a code is used up by using it, and
 * programs that look at links before people do must not.
 */
export function offerToTakeOver(): void {
  const { words } = readPageData<HandoverData>()
  const problem = document.getElementById('problem')
  const button = document.getElementById('accept')
  if (problem === null || button === null) return
  const complain = (text: string): void => {
    problem.textContent = text
    problem.hidden = false
  }
  const [, kind, id, code] = /^#(event|room)\/([0-9a-f-]{36})\/(.+)$/.exec(location.hash) ?? []
  if (id === undefined || code === undefined) {
    complain(words.missingCode)
    return
  }
  // It must not stay in the history of this device.
  history.replaceState(null, '', location.pathname)
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      const address = kind === 'event' ? { eventId: id } : { roomId: id }
      const place = await acceptPlace({ ...address, code, proof: 'cookie' })
      place.close()
      location.replace(`/${kind}s/${id}/wait`)
    } catch {
      complain(words.handoverBad)
    }
  })
}
