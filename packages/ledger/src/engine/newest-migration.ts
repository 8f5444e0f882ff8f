import { readdirSync } from 'node:fs'

/** The number of the newest migration that this program has: the schema that it knows. */
export function newestMigration(): number {
  const files = readdirSync(new URL('../../migrations/', import.meta.url)).filter((file) => file.endsWith('.sql'))
  return Math.max(0, ...files.map((file) => Number.parseInt(file, 10)))
}
