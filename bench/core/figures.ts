/** Every value of every round, by checkout, figure and number of connections. */
export class Figures {
  readonly #values = new Map<string, number[]>()

  add(subject: string, figure: string, connections: number, value: number): void {
    const key = `${subject}|${figure}|${connections}`
    const values = this.#values.get(key)
    if (values === undefined) this.#values.set(key, [value])
    else values.push(value)
  }

  of(subject: string, figure: string, connections: number): readonly number[] {
    return this.#values.get(`${subject}|${figure}|${connections}`) ?? []
  }
}
