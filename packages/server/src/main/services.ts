import type { BoxOfficeServices } from '../box-office/index.ts'

/**
 * What a server is built from: the union of what its folders declare, opened by `openServices` and closed at the end.
 * Each folder asks for its own part, never for this type.
 */
export type Services = BoxOfficeServices
