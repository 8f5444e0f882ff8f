/** Puts the code that a link brought behind the `#` into the form. It must not stay in the history of this device. */
export function fillInCode(): void {
  const field = document.querySelector<HTMLInputElement>('#code')
  const code = location.hash.slice(1)
  if (field === null || !/^[0-9A-Za-z]{8}$/.test(code)) return
  field.value = code
  history.replaceState(null, '', location.pathname)
}
