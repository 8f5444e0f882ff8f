/** Visitors who listen here and stand with the ticket of a group: by the number of the ticket, and by their own. */
export class ListeningGroups {
  readonly #members = new Map<number, Set<number>>()
  readonly #tickets = new Map<number, number>()

  has(ticket: number): boolean {
    return this.#members.has(ticket)
  }

  /** Their own numbers, beside the ticket's. */
  of(ticket: number): Iterable<number> {
    return this.#members.get(ticket) ?? []
  }

  stand(own: number, ticket: number): void {
    this.leave(own)
    if (own === ticket) return
    const members = this.#members.get(ticket) ?? new Set()
    this.#members.set(ticket, members.add(own))
    this.#tickets.set(own, ticket)
  }

  leave(own: number): void {
    const ticket = this.#tickets.get(own)
    if (ticket === undefined) return
    this.#tickets.delete(own)
    const members = this.#members.get(ticket)
    members?.delete(own)
    if (members?.size === 0) this.#members.delete(ticket)
  }
}
