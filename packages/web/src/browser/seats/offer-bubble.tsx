import type { Choosing, Offer } from './choosing.ts'

/** Said right beside the finger: this one is gone, and these are as good. */
export function OfferBubble({
  choosing,
  offer,
  at,
}: {
  choosing: Choosing
  offer: Offer
  at: { x: number; y: number } | null
}) {
  const { words } = choosing
  const { instead } = offer
  const offered = { seats: instead?.map((seat) => choosing.nameOf(seat)).join(', ') ?? '', count: instead?.length ?? 0 }
  return (
    <div
      class={at === null ? 'offer-here' : 'offer-bubble'}
      role="alert"
      {...(at && { style: { left: `${at.x}px`, top: `${at.y}px` } })}
    >
      <p>{instead === null ? words.takenUnder : choosing.say(words.takenOffer, offered)}</p>
      <div class="actions">
        {instead && (
          <button type="button" class="main" onClick={() => choosing.takeInstead(offer)}>
            {choosing.say(words.takeThese, offered)}
          </button>
        )}
        <button
          type="button"
          onClick={() => {
            choosing.offer.value = null
          }}
        >
          OK
        </button>
      </div>
    </div>
  )
}
