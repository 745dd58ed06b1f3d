import { attestationCodes } from '../verifier/types.ts'
import type { Failure } from '../shared/contract/sotto-contract.ts'
import type { judgeReleaseFile } from '../host/release-file.ts'
import { wordsOf } from './client.ts'
import { jsonLine } from './json-output.ts'
import { stepsInEnglish } from '../shared/verdict.ts'
import { plain, stepLines } from './print-verdict.ts'

/** The result of verifying an attestation of a file. */
type ReleaseVerification = { readonly digest: string } & Awaited<ReturnType<typeof judgeReleaseFile>>

/**
 * Prints step by step for a person, or a line of JSON. @param refused why a genuine release isn't the
 * requested one
 */
export function printRelease(judged: ReleaseVerification, json: boolean, refused: Failure | undefined): void {
  const { digest, steps } = judged
  const code = judged.good ? refused?.code : judged.failure.code
  const says = judged.good ? refused && wordsOf(refused) : attestationCodes[judged.failure.code]
  const provenance = judged.good ? judged.provenance : undefined
  if (json) {
    process.stdout.write(
      `${jsonLine({ good: code === undefined, sha256: digest, ...(provenance && { provenance }), ...(code !== undefined && { failure: { code, says } }), steps: stepsInEnglish(steps) })}\n`,
    )
    return
  }
  process.stdout.write(
    `${[
      code === undefined ? 'Verified: this file is a release of Sotto' : 'NOT VERIFIED: don’t run this file',
      `  SHA-256      ${digest}`,
      ...stepLines(steps),
      ...(provenance
        ? [
            `  Release      ${provenance.tag} of ${provenance.repository}`,
            `  Commit       ${provenance.commit}`,
            `  Logged at    ${new Date(provenance.logTime).toISOString()}`,
          ]
        : []),
      ...(says === undefined ? [] : [`  ${says}${code === undefined ? '' : ` (${code})`}`]),
    ]
      .map(plain)
      .join('\n')}\n`,
  )
}
