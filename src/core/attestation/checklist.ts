import type { AttestationCode } from '../../shared/attestation-codes.ts'
import type { VerdictStep } from '../../shared/verdict.ts'

/** A step that a stage will take, in its place in the specification's order. */
export interface PlannedStep<Id extends string = string> {
  readonly id: Id
  readonly title: string
  /** Left out: true. */
  readonly required?: boolean
}

/** What a stage found. `steps` is the whole plan either way: what follows a failure is `not-reached`. */
export type StageResult<T> =
  | { readonly good: true; readonly steps: readonly VerdictStep[]; readonly value: T }
  | { readonly good: false; readonly steps: readonly VerdictStep[]; readonly failure: { readonly step: string; readonly code: AttestationCode } }

/** Ends a stage at its first failure; never leaves `runStage`. */
class StageFailure extends Error {
  override name = 'StageFailure'
}

/** Records what each step of a plan found, in the plan's order. */
export class Checklist<Id extends string> {
  private readonly plan: readonly PlannedStep<Id>[]
  private readonly taken: VerdictStep[] = []

  constructor(plan: readonly PlannedStep<Id>[]) {
    this.plan = plan
  }

  pass(id: Id, expected: string, observed: string): void {
    this.take(id, 'passed', expected, observed, undefined)
  }

  /** Records a failure and ends the stage. */
  fail(id: Id, code: AttestationCode, expected: string, observed: string): never {
    this.take(id, 'failed', expected, observed, code)
    throw new StageFailure(code)
  }

  /** Passes a step, or fails it where there is a code. */
  record(id: Id, code: AttestationCode | undefined, expected: string, observed: string): void {
    if (code) this.fail(id, code, expected, observed)
    this.pass(id, expected, observed)
  }

  /** Records that there was nothing to check a step against. */
  notChecked(id: Id, expected: string, observed: string): void {
    this.take(id, 'not-checked', expected, observed, undefined)
  }

  /** Every step of the plan; those not taken were not reached. */
  steps(): VerdictStep[] {
    return [...this.taken, ...notReached(this.plan.slice(this.taken.length))]
  }

  failure(): { readonly step: string; readonly code: AttestationCode } | undefined {
    const last = this.taken.at(-1)
    return last?.code && { step: last.id, code: last.code }
  }

  /** A fault of the verifier itself counts against what it was verifying. */
  recordInternalFault(): void {
    const next = this.plan[this.taken.length]
    if (next) this.take(next.id, 'failed', 'a check that comes to an end', 'a fault of the check itself', 'verifier/internal')
  }

  private take(id: Id, outcome: VerdictStep['outcome'], expected: string, observed: string, code: AttestationCode | undefined): void {
    const step = this.plan[this.taken.length]
    if (step?.id !== id) throw new Error(`step ${id} is out of order`)
    const { title, required = true } = step
    this.taken.push({ id, title, outcome, required, expected, observed, ...(code && { code }) })
  }
}

/** Runs a stage to its end or its first failure. Never throws: whatever else goes wrong inside is a failure of the step it was at. */
export function runStage<Id extends string, T>(plan: readonly PlannedStep<Id>[], stage: (checks: Checklist<Id>) => T): StageResult<T> {
  const checks = new Checklist(plan)
  try {
    const value = stage(checks)
    return { good: true, steps: checks.steps(), value }
  } catch (error) {
    if (!(error instanceof StageFailure)) checks.recordInternalFault()
    const failure = checks.failure() ?? { step: plan.at(-1)?.id ?? '', code: 'verifier/internal' }
    return { good: false, steps: checks.steps(), failure }
  }
}

/** The steps of a stage that was never begun. */
export function notReached(plan: readonly PlannedStep[]): VerdictStep[] {
  return plan.map(({ id, title, required = true }) => ({ id, title, outcome: 'not-reached', required, expected: '', observed: '' }))
}
