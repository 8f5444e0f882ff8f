/** Null for what is not base64url. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/** The same for what was signed: a second spelling of the same bytes is not accepted. */
export function decodeCanonical(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = decodeBase64Url(text)
  return bytes !== null && encodeBase64Url(bytes.buffer) === text ? bytes : null
}

export function encodeBase64Url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
