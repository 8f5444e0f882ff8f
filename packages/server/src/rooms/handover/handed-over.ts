/**
 * Whether another device than the identity's own holds a ticket. Every hand-over raises the generation, and so does taking
 * the ticket back; nothing else does, and only a device of the identity's own can hand over. So the generation tells, in
 * every token and after every rebuild.
 */
export function isHandedOver({ generation }: { readonly generation: number }): boolean {
  return generation % 2 === 0
}
