import { EMBED_WORDS, type EmbedLanguage } from '../embed-words.ts'

/*
 * Runs on other sites, as a module of its own:
 *
 *   <a data-seatwise-event="…" href="https://tickets.example.com/events/…">Tickets</a>
 *   <script type="module" src="https://tickets.example.com/embed.js"></script>
 *
 * The link works without it. It sends no cookie, stores nothing, and shows nothing that another site could not read.
 */

const LOOK_MS = 15_000
const STYLE = `
:host { display: inline-grid; gap: .35em; justify-items: start; font: inherit; }
.button { display: inline-block; padding: .7em 1.4em; border-radius: .4em; background: var(--seatwise-colour, #8a2b36); color: var(--seatwise-text, #fff); font-weight: 700; text-decoration: none; }
.button:focus-visible { outline: 3px solid currentColor; outline-offset: 3px; }
.button.quiet { background: none; border: 1px solid currentColor; color: inherit; }
.note { font-size: .875em; }
`
const site = new URL(import.meta.url).origin

interface SaleEvent {
  readonly salesStartAt: string
  readonly timeZone: string
}
interface Now {
  readonly phase: 'before' | 'pre' | 'open' | 'paused' | 'sold_out' | 'ended'
  readonly waiting: number
  readonly remainingSeats: number | null
}

for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-seatwise-event]')) start(link)

/** Puts the button where the link stands. The link stays until there is something to say. */
function start(link: HTMLAnchorElement): void {
  const id = link.dataset.seatwiseEvent ?? ''
  const language = languageOf(link)
  const box = document.createElement('span')
  const root = box.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
  const button = Object.assign(document.createElement('a'), { href: `${site}/events/${encodeURIComponent(id)}` })
  const note = Object.assign(document.createElement('span'), { className: 'note' })
  note.setAttribute('role', 'status')
  root.append(button, note)
  let event: SaleEvent | null = null
  const look = async (): Promise<void> => {
    if (document.visibilityState === 'visible') {
      event ??= await read<SaleEvent>(`/api/events/${encodeURIComponent(id)}`)
      const now = await read<Now>(`/api/events/${encodeURIComponent(id)}/queue/now`)
      if (event !== null && now !== null) show(button, note, language, event, now)
      if (event !== null && now !== null && link.isConnected) link.replaceWith(box)
    }
    setTimeout(look, LOOK_MS)
  }
  void look()
}

/** Null while the shop does not answer, or does not list this site: what was shown stays. */
async function read<Answer>(path: string): Promise<Answer | null> {
  try {
    const answer = await fetch(site + path, { credentials: 'omit' })
    return answer.ok ? ((await answer.json()) as Answer) : null
  } catch {
    return null
  }
}

function show(
  button: HTMLAnchorElement,
  note: HTMLElement,
  language: EmbedLanguage,
  { salesStartAt, timeZone }: SaleEvent,
  { phase, waiting, remainingSeats }: Now,
): void {
  const words = EMBED_WORDS[language]
  const isOver = phase === 'sold_out' || phase === 'ended'
  const joins = phase === 'pre' || phase === 'paused' || waiting > 0
  const label = isOver ? (phase === 'ended' ? words.ended : words.soldOut) : joins ? words.join : words.buy
  button.className = isOver ? 'button quiet' : 'button'
  if (button.textContent !== label) button.textContent = label
  const said = noteOf()
  if (note.textContent !== said) note.textContent = said

  function noteOf(): string {
    if (phase === 'before' || phase === 'pre') {
      const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone })
      return words.from.replace('{time}', format.format(new Date(salesStartAt)))
    }
    if (isOver || remainingSeats === null) return ''
    return words.left.replace('{count}', new Intl.NumberFormat(language).format(remainingSeats))
  }
}

function languageOf(link: HTMLAnchorElement): EmbedLanguage {
  const named = (link.closest<HTMLElement>('[lang]')?.lang ?? '').slice(0, 2).toLowerCase()
  return named === 'ko' || named === 'vi' ? named : 'en'
}
