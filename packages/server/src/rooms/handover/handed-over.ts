/**
 * Whether another device than the owner's holds a ticket. Each hand-over raises the generation, and so does taking the
 * ticket back; nothing else does, and only the owner's device can hand over. So the parity of the generation tells, in
 * every token and after every rebuild.
 */
export function isHandedOver({ generation }: { readonly generation: number }): boolean {
  return generation % 2 === 0
}
