/** Small kindnesses for plain forms: no second press while the first is under way, a print button, a look again. */
export function easeForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-once]')) {
    form.addEventListener('submit', () => {
      const button = form.querySelector('button')
      if (button !== null) button.disabled = true
      form.querySelector('[data-busy]')?.removeAttribute('hidden')
    })
  }
  // After the back button the visitor may press again; the form's idempotency key makes that harmless.
  addEventListener('pageshow', () => {
    for (const button of document.querySelectorAll<HTMLButtonElement>('form[data-once] button')) button.disabled = false
  })
  const print = document.querySelector<HTMLButtonElement>('[data-print]')
  print?.removeAttribute('hidden')
  print?.addEventListener('click', () => window.print())
  lookAgain()
}

/** A page that waits for news from elsewhere says after how long it wants to be asked for again. */
function lookAgain(): void {
  const text = document.getElementById('page-data')?.textContent
  const { reloadMs } = JSON.parse(text ?? '{}') as { reloadMs?: number }
  if (reloadMs !== undefined) setTimeout(() => location.reload(), reloadMs)
}
