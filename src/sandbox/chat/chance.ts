import { hash } from 'node:crypto'

/** Choices that depend on a seed alone: the same prompt is answered alike. */
export class Chance {
  #state: Buffer
  #at = 0

  constructor(seed: string) {
    this.#state = hash('sha256', seed, 'buffer')
  }

  /** An integer in [0, below). */
  below(below: number): number {
    if (this.#at + 4 > this.#state.length) {
      this.#state = hash('sha256', this.#state, 'buffer')
      this.#at = 0
    }
    const value = this.#state.readUInt32BE(this.#at)
    this.#at += 4
    return value % below
  }

  /** One of `choices`, which is never empty. */
  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0]
  }

  hex(bytes: number): string {
    return Array.from({ length: bytes }, () => this.below(256).toString(16).padStart(2, '0')).join('')
  }
}
