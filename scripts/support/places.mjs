import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** The Node the product runs on, pinned in package.json. The one that runs these scripts may be older. */
export const node26 = join(root, 'node_modules', 'node', 'bin', 'node')
