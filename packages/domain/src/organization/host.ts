import type { ServedImage } from '../event/event.ts'

/** The letters of headings that an organization may choose from; all of them come with the pages. */
export const HOST_FACES = ['programme', 'poster', 'plain'] as const
export type HostFace = (typeof HOST_FACES)[number]

/** The organization behind an event, as visitors see it. */
export interface Host {
  name: string
  /** The end of the address of its page. */
  slug: string
  logo: ServedImage | null
  /** Six hex digits after `#`; pages show it darker or lighter where it could not be read otherwise. */
  colour: string | null
  face: HostFace
}

/** What the house is called until its owners name it; pages then have a word of their language instead. */
const UNNAMED_HOUSE = 'The house'

export const isNamed = ({ name }: Pick<Host, 'name'>): boolean => name !== UNNAMED_HOUSE

/** What its own page says besides. */
export interface HostProfile extends Host {
  id: string
  about: string
  website: string | null
}

export const HOST_LIMITS = { slugLength: 60, aboutLength: 5_000, websiteLength: 500 } as const

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

export const isSlug = (text: string): boolean => text.length <= HOST_LIMITS.slugLength && SLUG.test(text)

/** A name as the end of an address; empty where it has no Latin letter and no digit. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/[đĐ]/g, 'd').toLowerCase()
  const words = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')
  return words.slice(0, SLUG_FROM_NAME_LENGTH).replace(/-$/, '')
}

/** Leaves room for what tells organizations of the same name apart. */
const SLUG_FROM_NAME_LENGTH = 48
