/**
 * A document as plain data, so that it can be sent to the thread that draws it. All words and amounts are written
 * already: the thread knows neither languages nor currencies.
 */
export interface Paper {
  readonly title: string
  /** Of the words, for screen readers. */
  readonly language: string
  readonly author: string
  /** In ISO 8601: the same paper always has the same bytes. */
  readonly createdAt: string
  /** Each begins on a page of its own. */
  readonly sheets: readonly (readonly Block[])[]
}

export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string; readonly style?: 'strong' | 'quiet' | 'large' }
  /** What is on the left, and what is on the right of it. */
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [label: string, value: string])[] }
  | TableBlock
  /** A QR code; its side is in points. */
  | { readonly kind: 'code'; readonly content: string; readonly side: number }
  | { readonly kind: 'gap' }

export interface TableBlock {
  readonly kind: 'table'
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
  /** Rows of sums below a line. */
  readonly sums: readonly (readonly string[])[]
}

export interface Column {
  readonly label: string
  readonly align: 'left' | 'right'
  /** A share of the page's width; together they are 1. */
  readonly width: number
}
