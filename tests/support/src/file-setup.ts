import { afterAll, beforeAll, inject } from 'vitest'
import { recordChildrenIn } from './child.ts'
import { refuseFileLeaks, resourcesBeforeTests } from './leaks/file-leaks.ts'
import { rememberSockets } from './leaks/open-sockets.ts'
import { createRedisUser } from './stores/shared-stores.ts'

// Runs in every test file: the first hook before its tests, the second after all its own hooks.
recordChildrenIn(inject('childrenFolder'))
rememberSockets()
let resourcesBefore = new Map<string, number>()

beforeAll(async () => {
  resourcesBefore = resourcesBeforeTests()
  await createRedisUser()
})

afterAll(() => refuseFileLeaks(resourcesBefore))
