/**
 * A secret that is shown for a limited time. React may keep a former state in memory, but after `dispose` a reference
 * from there has no value.
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
