import module from 'node:module'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'

// Runs in every test file before anything else is loaded: what one of them compiled of the packages, the others find.
module.enableCompileCache(join(inject('runFolder'), 'compiled'))
// Vitest ends its processes by a signal, after which nothing would be kept.
afterAll(() => module.flushCompileCache())
