import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The embedded ledger as machine code, kept while this process lives: each one that a test opens finds what those before
 * it compiled. Otherwise the code goes with the last ledger that is closed, and a fifth of every opening is compiling.
 */
const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
Object.assign(globalThis, { seatwiseLedger: await WebAssembly.compile(readFileSync(join(pglite, 'pglite.wasm'))) })
