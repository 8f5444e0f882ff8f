/** Something that is good for one ticket of the room. Rules L91 and L92. */
export interface OnceOnly {
  /** At most 64 letters, digits, `-`, `_` and `:`. */
  key: string
  /** The room remembers the key as spent until then, in ms. What was spent until then or later is refused. */
  until: number
  /** Remembers it for at least so long from now. */
  forMs: number
}
