'use client'

/** Next.js does not show the guard its answers, so the page itself says that the visitor is done. */
export default function Done() {
  const finish = async () => {
    await fetch('/.seatwise/complete', { method: 'POST' })
    location.reload()
  }
  return (
    <button type="button" onClick={finish}>
      Leave the shop
    </button>
  )
}
