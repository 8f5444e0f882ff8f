/*
 * Passkeys: the browser's authenticator signs what the server asks for, and a plain form carries the answer. Where the
 * browser cannot, or there is no script, the forms stay hidden.
 */

const CAN = typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Shows and arms the forms of this page. */
export function armPasskeys(): void {
  if (!CAN) return
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
    form.hidden = false
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void fill(form)
    })
  }
  document.querySelector('[data-passkey-hint]')?.setAttribute('hidden', '')
}

async function fill(form: HTMLFormElement): Promise<void> {
  const notice = form.querySelector<HTMLElement>('[role=alert]')
  const button = form.querySelector('button')
  if (notice !== null) notice.hidden = true
  if (button !== null) button.disabled = true
  try {
    const credential = form.dataset.passkey === 'make' ? await make() : await use()
    const field = form.querySelector<HTMLInputElement>('[name=credential]')
    if (field !== null) field.value = JSON.stringify(credential)
    form.submit()
  } catch {
    // Cancelled by the visitor, or refused: they may try again, or another way.
    if (notice !== null) notice.hidden = false
  }
  if (button !== null) button.disabled = false
}

async function make(): Promise<unknown> {
  const options = await ask<PublicKeyCredentialCreationOptionsJSON>('/api/auth/passkeys/options')
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return toJson(await navigator.credentials.create({ publicKey }))
}

async function use(): Promise<unknown> {
  const options = await ask<PublicKeyCredentialRequestOptionsJSON>('/api/auth/passkeys/sign-in/options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return toJson(await navigator.credentials.get({ publicKey }))
}

async function ask<Options>(path: string): Promise<Options> {
  const answer = await fetch(path, { method: 'POST' })
  if (answer.ok) return (await answer.json()) as Options
  const { code } = (await answer.json()) as { code?: string }
  if (code === 'FRESH_SIGN_IN_NEEDED') {
    location.href = `/sign-in/again?next=${encodeURIComponent(location.pathname + location.search)}`
  }
  throw new Error(`The server answered ${answer.status}`)
}

function toJson(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('No passkey was chosen')
  return credential.toJSON()
}
