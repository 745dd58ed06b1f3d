import { meaningOf, type EnclaveChange } from '../shared/enclave-change.ts'
import { renderEnglish } from '../shared/localized-text.ts'
import { verdictInEnglish, type Verdict, type VerdictStep } from '../shared/verdict.ts'
import { jsonLine } from './json-output.ts'

const MARKS: Record<VerdictStep['outcome'], string> = {
  passed: '✓',
  failed: '✗',
  'not-checked': '–',
  'not-reached': '·',
}

/** Each step by its mark and title; of one that failed, what was expected and seen. */
export function stepLines(steps: readonly VerdictStep[]): string[] {
  return steps.flatMap((step) => [
    `  ${MARKS[step.outcome]} ${step.title}${step.claim ? ' (claim, not signed)' : ''}`,
    ...(step.outcome === 'failed'
      ? [
          `      expected ${renderEnglish(step.expected)}`,
          `      observed ${renderEnglish(step.observed)}`,
          `      ${step.code ?? ''}`,
        ]
      : []),
    ...(step.outcome === 'not-checked' ? [`      not checked: ${renderEnglish(step.observed)}`] : []),
  ])
}

/** A verdict for a person, step by step, or as one line of JSON with the remarks and `more`. */
export function printVerdict(
  verdict: Verdict,
  json: boolean,
  remarks: readonly string[] = [],
  more: object = {},
): void {
  if (json) {
    process.stdout.write(
      `${jsonLine({ ...verdictInEnglish(verdict), ...(remarks.length > 0 && { remark: remarks.join('\n') }), ...more })}\n`,
    )
    return
  }
  const { platform, machine, release, registers, measurement, failure, notices } = verdict
  process.stdout.write(
    `${[
      `${verdict.good ? 'Verified' : 'NOT VERIFIED'}: ${verdict.enclaveHost}, with the ${verdict.trust === 'sandbox' ? 'sandbox’s' : 'built-in'} trust roots`,
      ...stepLines(verdict.steps),
      ...(platform === undefined ? [] : [`  Platform     ${platform}`]),
      ...(machine ? [`  Server       ${machine.identity}, listed with the rules ${machine.policy}`] : []),
      ...(release ? [`  Release      ${release.tag} of ${release.repository}`] : []),
      ...(registers ?? (measurement === undefined ? [] : [{ name: 'Measurement', hex: measurement }])).map(
        ({ name, hex }) => `  ${name.padEnd(12)} ${hex}`,
      ),
      ...(failure ? [`  ${failure.says}`] : []),
      ...(notices ?? []).map(({ says }) => `  ${says}`),
      ...remarks.map((remark) => `  ${remark}`),
    ]
      .map(plain)
      .join('\n')}\n`,
  )
}

/** @param before Unix ms, when the one before was last seen */
export function changeLines(before: number, changes: readonly EnclaveChange[]): string[] {
  return [
    `Changed since ${new Date(before).toISOString()}. ${meaningOf(changes)}`,
    ...changes.map(({ name, before: from = 'none', after: to = 'none' }) => `  ${name}: ${from} -> ${to}`),
  ]
}

/** Replaces control characters: an attacker may have written the file. */
export function plain(line: string): string {
  return line.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd')
}

/** Verified now; refused; nothing to judge; good only at the time that was asked for. */
export const exitCodes = { verified: 0, refused: 1, unusable: 2, onlyAtThatTime: 3 } as const

export interface VerifyOptions {
  readonly json: boolean
  /** Judge as of this time: only for a saved file. */
  readonly at?: string
  /** Write the proof of live evidence to this file, which must not exist yet. */
  readonly save?: string
  /** The preset whose policy verifies a saved file. */
  readonly service: string
}
