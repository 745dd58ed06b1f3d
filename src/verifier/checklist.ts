import type { AttestationCode } from './codes.ts'
import { msg } from './message.ts'
import type { VerdictStep } from './contract.ts'
import { legible, type Text } from './text.ts'

/** A step that a stage will take, in its place among those of its plan. */
export interface PlannedStep<Id extends string = string> {
  readonly id: Id
  readonly title: string
  /** Left out: true. */
  readonly required?: boolean
  /** Judges an unsigned claim of the service. */
  readonly claim?: true
}

export interface Failure {
  readonly step: string
  readonly code: AttestationCode
}

/** What a stage found. `steps` is its whole plan either way: what follows a failure is `not-reached`. */
export type StageResult<T> =
  | { readonly good: true; readonly steps: readonly VerdictStep[]; readonly value: T }
  | { readonly good: false; readonly steps: readonly VerdictStep[]; readonly failure: Failure }

function namesOf({
  id,
  title,
  required = true,
  claim,
}: PlannedStep): Pick<VerdictStep, 'id' | 'title' | 'required' | 'claim'> {
  return { id, title, required, ...(claim && { claim }) }
}

/** The steps of a plan that nothing came to. */
export function notReached(plan: readonly PlannedStep[]): VerdictStep[] {
  return plan.map((step) => ({ ...namesOf(step), outcome: 'not-reached', expected: [], observed: [] }))
}

/** Ends a stage at its first failure; never leaves `runStage`. */
class StageFailure extends Error {
  override name = 'StageFailure'
}

/** Records what each step of a plan found, in the plan's order and in no other. */
export class Checklist<in Id extends string> {
  private readonly plan: readonly PlannedStep[]
  private readonly taken: VerdictStep[] = []

  constructor(plan: readonly PlannedStep[]) {
    this.plan = plan
  }

  pass(id: Id, expected: Text, observed: Text): void {
    this.take(id, { outcome: 'passed', expected, observed })
  }

  /** Records a failure and ends the stage. */
  fail(id: Id, code: AttestationCode, expected: Text, observed: Text): never {
    this.take(id, { outcome: 'failed', expected, observed, code })
    throw new StageFailure(code)
  }

  /** Passes a step, or fails it where there is a code. */
  record(id: Id, code: AttestationCode | undefined, expected: Text, observed: Text): void {
    if (code) this.fail(id, code, expected, observed)
    this.pass(id, expected, observed)
  }

  /** Records that there was nothing to check a step against. */
  notChecked(id: Id, expected: Text, observed: Text): void {
    this.take(id, { outcome: 'not-checked', expected, observed })
  }

  /** Takes over the steps of a stage that keeps its own list, and ends where it failed. */
  adopt(steps: readonly VerdictStep[]): void {
    for (const { id, outcome, expected, observed, code } of steps) {
      this.take(id, { outcome, expected, observed, ...(code && { code }) })
      if (code) throw new StageFailure(code)
    }
  }

  hasPassed(id: Id): boolean {
    return this.taken.some((step) => step.id === id && step.outcome === 'passed')
  }

  /** Every step was taken: a stage that forgets one hasn’t passed. */
  complete(): void {
    if (this.taken.length < this.plan.length) throw new Error('a step was left out')
  }

  /** Every step of the plan; those not taken were not reached. */
  steps(): VerdictStep[] {
    return [...this.taken, ...notReached(this.plan.slice(this.taken.length))]
  }

  /** The failure that ended the stage. Where none did, the check itself broke down, which counts against what it was checking. */
  failure(): Failure {
    const last = this.taken.at(-1)
    if (last?.code) return { step: last.id, code: last.code }
    const code = 'verifier/internal'
    const step = this.plan[this.taken.length]?.id ?? ''
    if (step)
      this.take(step, {
        outcome: 'failed',
        expected: msg('a completed check'),
        observed: msg('an error in the check itself'),
        code,
      })
    return { step, code }
  }

  private take(
    id: string,
    {
      expected,
      observed,
      ...finding
    }: Pick<VerdictStep, 'outcome' | 'code'> & { readonly expected: Text; readonly observed: Text },
  ): void {
    const step = this.plan[this.taken.length]
    if (step?.id !== id) throw new Error(`the step ${id} is out of order`)
    this.taken.push({
      ...namesOf(step),
      ...finding,
      expected: legible(expected),
      observed: legible(observed),
    })
  }
}

/** Runs a stage to its end or its first failure. Never throws: whatever else goes wrong inside fails the step that it was at. */
export function runStage<Id extends string, T>(
  plan: readonly PlannedStep<Id>[],
  stage: (checks: Checklist<Id>) => T,
): StageResult<T> {
  const checks = new Checklist<Id>(plan)
  try {
    const value = stage(checks)
    checks.complete()
    return { good: true, steps: checks.steps(), value }
  } catch {
    const failure = checks.failure()
    return { good: false, steps: checks.steps(), failure }
  }
}
