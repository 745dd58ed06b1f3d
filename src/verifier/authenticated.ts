import type { Checklist } from './checklist.ts'

/** A value that a verified signature covers. Only a passed step constructs one, so an unsigned value never has this type. */
export class Authenticated<out T> {
  readonly value: T

  private constructor(value: T) {
    this.value = value
  }

  /**
   * @param step the step that verified the signature over the value
   * @throws {Error} when the step hasn't passed
   */
  static by<Id extends string, T>(checks: Checklist<Id>, step: Id, value: T): Authenticated<T> {
    if (!checks.hasPassed(step)) throw new Error(`the step ${step} hasn’t passed`)
    return new Authenticated(value)
  }

  /** A value computed from nothing but this one. */
  map<U>(compute: (value: T) => U): Authenticated<U> {
    return new Authenticated(compute(this.value))
  }
}
