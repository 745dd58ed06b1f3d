import { attestationCodes } from '../verifier/types.ts'
import type { Failure } from '../shared/contract/sotto-contract.ts'
import type { checkReleaseFile } from '../host/release-file.ts'
import { wordsOf } from './client.ts'
import { jsonLine } from './json-output.ts'
import { stepsInEnglish } from '../shared/verdict.ts'
import { plain, stepLines } from './print-verdict.ts'

/** The result of verifying an attestation of a file. */
type ReleaseVerification = { readonly digest: string } & Awaited<ReturnType<typeof checkReleaseFile>>

/**
 * Prints step by step for a person, or a line of JSON. @param refused why a genuine release isn't the
 * requested one
 */
export function printRelease(
  verification: ReleaseVerification,
  json: boolean,
  refused: Failure | undefined,
): void {
  const { digest, steps } = verification
  const code = verification.good ? refused?.code : verification.failure.code
  const reason = verification.good ? refused && wordsOf(refused) : attestationCodes[verification.failure.code]
  const provenance = verification.good ? verification.provenance : undefined
  if (json) {
    process.stdout.write(
      `${jsonLine({ good: code === undefined, sha256: digest, ...(provenance && { provenance }), ...(code !== undefined && { failure: { code, says: reason } }), steps: stepsInEnglish(steps) })}\n`,
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
      ...(reason === undefined ? [] : [`  ${reason}${code === undefined ? '' : ` (${code})`}`]),
    ]
      .map(plain)
      .join('\n')}\n`,
  )
}
