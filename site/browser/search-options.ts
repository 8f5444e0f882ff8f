/** A part of a page below one heading. */
export interface Section {
  /** Its address: page and anchor. */
  readonly id: string
  readonly title: string
  /** The page's title, empty where that is the heading. */
  readonly page: string
  readonly text: string
  readonly excerpt: string
}

/** The same where the index is made and where it is searched. */
export const SEARCH_OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'excerpt'],
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' as const },
}
