import type { PlaceStorage } from '../../src/types.ts'

/** A browser's storage, as far as it is used. */
export function memoryStorage(): PlaceStorage & { readonly items: Map<string, string> } {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}
