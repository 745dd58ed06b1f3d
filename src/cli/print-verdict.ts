import type { Verdict, VerdictStep } from '../shared/verdict.ts'

const MARKS: Record<VerdictStep['outcome'], string> = { passed: '✓', failed: '✗', 'not-checked': '–', 'not-reached': '·' }

/** A verdict for a person, step by step, or as one line of JSON. */
export function printVerdict(verdict: Verdict, json: boolean, remark?: string): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(remark === undefined ? verdict : { ...verdict, remark })}\n`)
    return
  }
  const lines = verdict.steps.map((step) => [
    `  ${MARKS[step.outcome]} ${step.title}`,
    ...(step.outcome === 'failed' ? [`      expected ${step.expected}`, `      observed ${step.observed}`, `      ${step.code ?? ''}`] : []),
  ])
  process.stdout.write(`${[
    `${verdict.good ? 'Verified' : 'REFUSED'}: ${verdict.enclaveHost}, by the ${verdict.trust === 'sandbox' ? "sandbox's own" : 'built-in'} roots`,
    ...lines.flat(),
    ...(verdict.release ? [`  Release      ${verdict.release.tag} of ${verdict.release.repository}`] : []),
    ...(verdict.measurement === undefined ? [] : [`  Measurement  ${verdict.measurement}`]),
    ...(verdict.failure ? [`  ${verdict.failure.says}`] : []),
    ...(remark === undefined ? [] : [`  ${remark}`]),
  ].join('\n')}\n`)
}
