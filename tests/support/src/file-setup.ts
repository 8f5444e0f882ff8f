import { beforeAll, inject } from 'vitest'
import { recordChildrenIn } from './child.ts'
import { createRedisUser } from './shared-stores.ts'

// Runs in every test file before its tests.
recordChildrenIn(inject('childrenFolder'))
beforeAll(createRedisUser)
