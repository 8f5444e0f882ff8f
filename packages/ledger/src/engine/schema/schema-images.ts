import type { Generated } from 'kysely'

export interface EventImagesTable {
  event_id: string
  hash: string
  width: number
  height: number
  bytes: Buffer
  alt: Generated<string>
  focus_x: Generated<number>
  focus_y: Generated<number>
}

export interface OrganizationLogosTable {
  organization_id: string
  hash: string
  width: number
  height: number
  bytes: Buffer
}
