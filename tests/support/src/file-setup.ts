import { afterAll, beforeAll, inject } from 'vitest'
import { recordChildrenIn } from './child.ts'
import { refuseFileLeaks, resourcesBeforeTests } from './file-leaks.ts'
import { createRedisUser } from './shared-stores.ts'

// Runs in every test file: the first hook before its tests, the second after all its own hooks.
recordChildrenIn(inject('childrenFolder'))
let resourcesBefore = new Map<string, number>()

beforeAll(async () => {
  resourcesBefore = resourcesBeforeTests()
  await createRedisUser()
})

afterAll(() => refuseFileLeaks(resourcesBefore))
