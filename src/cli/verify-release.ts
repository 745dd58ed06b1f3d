import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkReleaseFile, releaseIdentity } from '../host/release-file.ts'
import { attestationsIn, fileDigest, verifyBest } from '../host/release-verification.ts'
import { SottoError } from '../shared/errors.ts'
import { msg } from '../shared/localized-text.ts'
import type { Failure } from '../shared/contract/sotto-contract.ts'
import { stepsInEnglish } from '../shared/verdict.ts'
import { attestationCodes } from '../verifier/types.ts'
import type { JsonValue } from '../shared/strict-json.ts'
import { wordsOf } from './client.ts'
import { jsonLine } from './json-output.ts'
import { failure, printFailure } from './with-client.ts'
import { exitCodes, plain, stepLines } from './print-verdict.ts'

export interface VerifyReleaseOptions {
  readonly json: boolean
  /** The attestation, if it isn't next to the file. */
  readonly bundle?: string
  /** The required release. Even an older genuine release is refused. */
  readonly tag?: string
}

const MAX_BUNDLE_BYTES = 8 << 20

/**
 * `sotto verify-release FILE`: verifies offline that the repository of Sotto's releases built a downloaded
 * file, by the installed roots and identity. Returns the exit code.
 */
export async function verifyRelease(file: string, options: VerifyReleaseOptions): Promise<number> {
  try {
    const identity = releaseIdentity()
    if (!identity) throw new SottoError('release/identity-unknown')
    const digest = await fileDigest(file)
    const best = {
      digest,
      ...(await verifyBest(await bundlesFor(file, digest, options.bundle), (bundle) =>
        checkReleaseFile(digest, bundle, identity),
      )),
    }
    const otherTag = best.good && options.tag !== undefined && best.provenance.tag !== options.tag
    printRelease(
      best,
      options.json,
      otherTag
        ? failure('release/other-tag', msg('The file is release {tag}.', { tag: best.provenance.tag }))
        : undefined,
    )
    return best.good && !otherTag ? exitCodes.verified : exitCodes.refused
  } catch (thrown) {
    if (!(thrown instanceof SottoError)) throw thrown
    printFailure(failure(thrown.code, thrown.details.detail), options.json)
    return exitCodes.unusable
  }
}

/** Reads a single bundle, or a bundle in each line, as GitHub provides them. */
async function bundlesFor(file: string, digest: string, named: string | undefined): Promise<JsonValue[]> {
  const text = named === undefined ? await readFirst(adjacentPaths(file, digest)) : await readWithin(named)
  if (text === undefined)
    throw new SottoError(named === undefined ? 'release/bundle-missing' : 'release/bundle-unreadable')
  return attestationsIn(text)
}

/** The names used by a release page and by `gh attestation download`. Windows allows no colon in names. */
function adjacentPaths(file: string, digest: string): string[] {
  return [
    `${file}.sigstore.json`,
    join(dirname(file), `sha256:${digest}.jsonl`),
    join(dirname(file), `sha256-${digest}.jsonl`),
  ]
}

async function readFirst(places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    const text = await readWithin(place)
    if (text !== undefined) return text
  }
  return undefined
}

/**
 * Returns undefined if there is no such file. Throws `release/bundle-unreadable` if it isn't a text within
 * the size limit.
 */
async function readWithin(place: string): Promise<string | undefined> {
  const found = await stat(place).catch(() => undefined)
  if (!found) return undefined
  if (!found.isFile() || found.size > MAX_BUNDLE_BYTES) throw new SottoError('release/bundle-unreadable')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(place))
  } catch (cause) {
    throw new SottoError('release/bundle-unreadable', { cause })
  }
}

/** The result of verifying an attestation of a file. */
type ReleaseVerification = { readonly digest: string } & Awaited<ReturnType<typeof checkReleaseFile>>

/**
 * Prints step by step for a person, or a line of JSON. @param refused why a genuine release isn't the
 * requested one
 */
function printRelease(verification: ReleaseVerification, json: boolean, refused: Failure | undefined): void {
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
