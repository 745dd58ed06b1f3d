/**
 * A secret that is shown for a while. React keeps the state before the last one, and sometimes longer: what still points here
 * then finds nothing once it was let go.
 */
export class HeldSecret<T = string> {
  #value: T | undefined

  constructor(value: T) {
    this.#value = value
  }

  get value(): T | undefined {
    return this.#value
  }

  dispose(): void {
    this.#value = undefined
  }
}
