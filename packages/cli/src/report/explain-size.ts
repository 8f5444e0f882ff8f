/** How much the files hold together, for a person. */
export function explainSize(files: readonly { readonly bytes: number }[]): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return `${(bytes / 2 ** 20).toFixed(1)} MB`
}
