import type { AttestationCode } from './codes.ts'
import { msg } from './message.ts'
import type { VerdictStep } from './contract.ts'
import type { VerificationResult } from './verification-result.ts'
import { legible, type Text } from './text.ts'

/** The name of a step, as a verdict lists it. */
export interface StepName {
  readonly id: string
  readonly title: string
  /** Default: true. */
  readonly required?: boolean
  /** Checks an unsigned claim of the service. */
  readonly claim?: true
}

/** The result of a step that didn't fail, and the values that later steps may read. */
export interface Finding<out Added extends object = object> {
  readonly outcome: 'passed' | 'not-checked'
  readonly expected: Text
  readonly observed: Text
  readonly added: Added
}

/**
 * A step. `run` reads only values that earlier steps added, because the type of its context has no others. It
 * throws `StepFailure`.
 */
export interface Step<in Context extends object, out Added extends object> extends StepName {
  run(context: Context): Finding<Added>
}

export interface Failure {
  readonly step: string
  readonly code: AttestationCode
}

/**
 * `steps` has every step of the list: those after a failure are `not-reached`. A failure doesn't remove the
 * noted `facts`.
 */
export type StepsResult<T> =
  | {
      readonly good: true
      readonly steps: readonly VerdictStep[]
      readonly facts: VerificationResult
      readonly value: T
    }
  | {
      readonly good: false
      readonly steps: readonly VerdictStep[]
      readonly facts: VerificationResult
      readonly failure: Failure
    }

/** Why a step failed. */
class StepFailure extends Error {
  override name = 'StepFailure'
  readonly code: AttestationCode
  readonly expected: Text
  readonly observed: Text
  constructor(code: AttestationCode, expected: Text, observed: Text) {
    super(code)
    this.code = code
    this.expected = expected
    this.observed = observed
  }
}

/** Passes the step. `added` are the values that later steps may read. */
export function passed(expected: Text, observed: Text): Finding
export function passed<Added extends object>(expected: Text, observed: Text, added: Added): Finding<Added>
export function passed(expected: Text, observed: Text, added: object = {}): Finding {
  return { outcome: 'passed', expected, observed, added }
}

/** There is nothing to compare with. Never counted as passed. */
export function notChecked(expected: Text, observed: Text): Finding
export function notChecked<Added extends object>(expected: Text, observed: Text, added: Added): Finding<Added>
export function notChecked(expected: Text, observed: Text, added: object = {}): Finding {
  return { outcome: 'not-checked', expected, observed, added }
}

/** Fails the step, which ends the verification. */
export function fail(code: AttestationCode, expected: Text, observed: Text): never {
  throw new StepFailure(code, expected, observed)
}

/** Passes, or fails if there is a code. */
export function passUnless(code: AttestationCode | undefined, expected: Text, observed: Text): Finding
export function passUnless<Added extends object>(
  code: AttestationCode | undefined,
  expected: Text,
  observed: Text,
  added: Added,
): Finding<Added>
export function passUnless(
  code: AttestationCode | undefined,
  expected: Text,
  observed: Text,
  added: object = {},
): Finding {
  if (code) fail(code, expected, observed)
  return passed(expected, observed, added)
}

/** A value that a verified signature covers. Only the step that verified the signature creates one: see `signed`. */
export class Authenticated<out T> {
  readonly value: T

  private constructor(value: T) {
    this.value = value
  }

  /** A value computed only from this one. */
  map<U>(compute: (value: T) => U): Authenticated<U> {
    return new Authenticated(compute(this.value))
  }

  /**
   * Passes the step that verified the signature over `value`.
   *
   * @param add the values that later steps may read, computed from the authenticated one
   */
  static signed<T, Added extends object>(
    expected: Text,
    observed: Text,
    value: T,
    add: (authentic: Authenticated<T>) => Added,
  ): Finding<Added> {
    return passed(expected, observed, add(new Authenticated(value)))
  }
}

/** The records of a verification's steps so far. */
class Progress {
  readonly steps: VerdictStep[] = []
  readonly facts: VerificationResult = {}

  run<Context extends object, Added extends object>(step: Step<Context, Added>, context: Context): Added {
    try {
      const { outcome, expected, observed, added } = step.run(context)
      this.steps.push({ ...nameOf(step), outcome, expected: legible(expected), observed: legible(observed) })
      return added
    } catch (error) {
      if (error instanceof StepFailure) {
        const { code, expected, observed } = error
        this.failed(step, code, expected, observed)
      }
      throw error
    }
  }

  failed(step: StepName, code: AttestationCode, expected: Text, observed: Text): void {
    this.steps.push({
      ...nameOf(step),
      outcome: 'failed',
      expected: legible(expected),
      observed: legible(observed),
      code,
    })
  }
}

/** Runs a list in a context, which it extends, and returns. */
type Run<in Start extends object, out Added extends object> = <Context extends Start>(
  context: Context,
  progress: Progress,
) => Context & Added

/** A list that can be a part of another one. */
interface StepList<in Start extends object, out Added extends object> {
  readonly names: readonly StepName[]
  readonly run: Run<Start, Added>
}

/**
 * Steps in their order. The same list is what a verdict shows and what runs, so a step can't be listed
 * without running, or run without being listed. Lists are immutable: each method returns a longer one.
 *
 * @typeParam Start what the list needs
 * @typeParam Added what its steps add for those after them
 */
export class Steps<Start extends object, Added extends object> implements StepList<Start, Added> {
  readonly names: readonly StepName[]
  readonly run: Run<Start, Added>

  private constructor(names: readonly StepName[], run: Run<Start, Added>) {
    this.names = names
    this.run = run
  }

  /** The list without steps. */
  static of<Start extends object>(): Steps<Start, object> {
    return new Steps<Start, object>([], (context) => context)
  }

  add<More extends object>(step: Step<Start & Added, More>): Steps<Start, Added & More> {
    const { run } = this
    return new Steps<Start, Added & More>([...this.names, step], (context, progress) => {
      const before = run(context, progress)
      return Object.assign(before, progress.run(step, before))
    })
  }

  /** Adds the steps of a list that reads the same context. */
  append<More extends object>(list: StepList<Start & Added, More>): Steps<Start, Added & More> {
    const { run } = this
    return new Steps<Start, Added & More>([...this.names, ...list.names], (context, progress) =>
      list.run(run(context, progress), progress),
    )
  }

  /** Adds the steps of a list with an input of its own. Later steps can read only the values that `output` returns. */
  include<Input extends object, Inner extends object, More extends object>(
    list: StepList<Input, Inner>,
    input: (context: Start & Added) => Input,
    output: (result: Input & Inner) => More,
  ): Steps<Start, Added & More> {
    const { run } = this
    return new Steps<Start, Added & More>([...this.names, ...list.names], (context, progress) => {
      const before = run(context, progress)
      return Object.assign(before, output(list.run({ ...input(before) }, progress)))
    })
  }

  /** Notes facts that a verdict states even if a later step fails. */
  note(factsOf: (context: Start & Added) => VerificationResult): Steps<Start, Added> {
    const { run } = this
    return new Steps<Start, Added>(this.names, (context, progress) => {
      const before = run(context, progress)
      Object.assign(progress.facts, factsOf(before))
      return before
    })
  }

  /** The whole list, none of it reached. */
  notReached(): VerdictStep[] {
    return notReached(this.names)
  }

  /** Runs the list to its end or its first failure. Never throws: an error in a check fails the step that it was in. */
  verify(start: Start): StepsResult<Start & Added> {
    const progress = new Progress()
    const { steps, facts } = progress
    try {
      const value = this.run({ ...start }, progress)
      return { good: true, steps, facts, value }
    } catch {
      const failure = failureOf(progress, this.names[steps.length])
      return { good: false, steps: [...steps, ...notReached(this.names.slice(steps.length))], facts, failure }
    }
  }
}

/** The failure that ended the list. An error in a check counts against what was checked. */
function failureOf(progress: Progress, next: StepName | undefined): Failure {
  const last = progress.steps.at(-1)
  if (last?.code) return { step: last.id, code: last.code }
  const code = 'verifier/internal'
  if (next) progress.failed(next, code, msg('a completed check'), msg('an error in the check itself'))
  return { step: next?.id ?? '', code }
}

function notReached(names: readonly StepName[]): VerdictStep[] {
  return names.map((step) => ({ ...nameOf(step), outcome: 'not-reached', expected: [], observed: [] }))
}

function nameOf({ id, title, required = true, claim }: StepName): Pick<VerdictStep, keyof StepName> {
  return { id, title, required, ...(claim && { claim }) }
}
