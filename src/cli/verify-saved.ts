import { readFile, stat } from 'node:fs/promises'
import { verifySavedEvidence, policyFor, readSavedEvidence } from '../host/saved-evidence.ts'
import { presetProfiles } from '../host/resources.ts'
import { SottoError } from '../shared/errors.ts'
import { MAX_PROOF_BYTES, type Proof, type TrustRoot } from '../shared/proof.ts'
import { msg } from '../shared/localized-text.ts'
import { isJsonObject, parseStrictJson, type JsonValue } from '../shared/strict-json.ts'
import type { Verdict } from '../shared/verdict.ts'
import { failure, printFailure } from './with-client.ts'
import { printVerdict, exitCodes, type VerifyOptions } from './print-verdict.ts'

/**
 * Verifies a proof file, or a bundle as the service sent it, offline: by the roots of this installation and
 * the policy of a preset. Prints the roots and the policy in a proof file if they differ, but never uses
 * them.
 */
export async function verifySaved(file: string, { json, at, service }: VerifyOptions): Promise<number> {
  try {
    const asked = at === undefined ? undefined : parseTime(at)
    const profile = (await presetProfiles()).find(({ id }) => id === service)
    const rules = profile?.policy
    if (!rules)
      throw new SottoError('verify/argument', {
        detail: msg('No policy is available for the service “{service}”.', { service }),
      })
    const saved = readSavedEvidence(await read(file))
    const { now, asOf, roots } = await verifySavedEvidence(saved, profile, asked)
    const shown = asOf ?? now
    const { proof } = saved
    const policy = saved.images
      ? { serviceEnclave: profile.serviceEnclave, images: proof?.policy['images'] }
      : (policyFor(saved, profile) ?? rules)
    const differences = proof && differencesOf(proof, { policy, roots, verdict: shown })
    printVerdict(
      shown,
      json,
      [
        ...(asOf ? [asOfRemark(asOf, now)] : []),
        ...(saved.images
          ? [
              'Which images are accepted is taken from the file. The model’s provider can read chats that this enclave passes on.',
            ]
          : []),
        ...(proof && differences ? proofRemarks(proof, differences, shown, asOf === undefined) : []),
      ],
      proof && {
        file: {
          format: proof.format,
          savedAt: proof.savedAt,
          trust: proof.trust,
          verdict: verdictThen(proof),
          differences,
        },
      },
    )
    if (
      shown.failure?.code === 'envelope/malformed' ||
      shown.failure?.code === 'evidence/malformed' ||
      shown.failure?.code === 'evidence/too-large'
    )
      return exitCodes.unusable
    if (!shown.good) return exitCodes.refused
    return now.good ? exitCodes.verified : exitCodes.onlyAtThatTime
  } catch (thrown) {
    if (!(thrown instanceof SottoError)) throw thrown
    printFailure(failure(thrown.code, thrown.details.detail), json)
    return exitCodes.unusable
  }
}

async function read(file: string): Promise<Uint8Array> {
  try {
    if ((await stat(file)).size > MAX_PROOF_BYTES) throw new SottoError('proof/too-large')
    return await readFile(file)
  } catch (cause) {
    throw cause instanceof SottoError ? cause : new SottoError('proof/unreadable', { cause })
  }
}

/** Parses ISO 8601 with a time zone, or only a date (UTC). Throws verify/argument. */
function parseTime(text: string): number {
  const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : NaN
  if (Number.isNaN(time))
    throw new SottoError('verify/argument', {
      detail: msg('Use a time such as 2026-02-01 or 2026-02-01T12:00:00Z with --at.'),
    })
  return time
}

function asOfRemark({ good, verifiedAt }: Verdict, now: Verdict): string {
  const time = isoTime(verifiedAt)
  if (!good) return `Not valid at ${time}.`
  return now.good ? `Valid at ${time} and now.` : `Valid at ${time}, but not now.`
}

function proofRemarks(
  proof: Proof,
  differences: ProofDifferences,
  shown: Verdict,
  mayAsk: boolean,
): string[] {
  const { savedAt, trust, nonce = proof.fresh?.nonce } = proof
  const then = verdictThen(proof)
  const { rootsOnlyInFile, rootsOnlyHere, policy, otherEvidence } = differences
  return [
    `According to the file: saved ${savedAt}, ${then.good ? 'verified' : `not verified (${then.failure?.code ?? 'no reason given'})`} with ${trust.name === 'sandbox' ? 'a sandbox’s' : 'the built-in'} trust roots.`,
    ...(trust.name === shown.trust
      ? []
      : ['A sandbox’s trust roots prove nothing about real hardware, so Sotto doesn’t trust them here.']),
    ...rootsOnlyInFile.map(({ name, sha256 }) => `Trust root only in the file: ${name}, SHA-256 ${sha256}`),
    ...(rootsOnlyHere.length > 0
      ? [`Trust roots only in this installation: ${rootsOnlyHere.map(({ name }) => name).join(', ')}.`]
      : []),
    ...policy
      .slice(0, MOST_SHOWN)
      .map(
        ({ path, file, here }) =>
          `The policy differs in ${path}: ${asText(file)} in the file, ${asText(here)} in this installation.`,
      ),
    ...(policy.length > MOST_SHOWN
      ? [`The policy differs in ${String(policy.length - MOST_SHOWN)} more places.`]
      : []),
    ...(otherEvidence ? ['The verdict in the file belongs to different evidence.'] : []),
    ...(nonce === undefined
      ? []
      : ['Only the program that requested this evidence knows that its nonce was fresh.']),
    ...(mayAsk && !shown.good && then.good
      ? [`To verify it as of the time it was saved, add: --at ${savedAt}`]
      : []),
  ]
}

const MOST_SHOWN = 20
const MOST_TEXT = 120

function asText(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text
}

function verdictThen({
  verdict: { good, verifiedAt, failure: refusal },
}: Proof): Pick<Proof['verdict'], 'good' | 'verifiedAt' | 'failure'> {
  return { good, verifiedAt, ...(refusal && { failure: refusal }) }
}

function isoTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}

/** The differences between a proof file and this installation. They don't change the verdict. */
interface ProofDifferences {
  readonly policy: readonly { readonly path: string; readonly file?: JsonValue; readonly here?: JsonValue }[]
  readonly rootsOnlyInFile: readonly TrustRoot[]
  readonly rootsOnlyHere: readonly TrustRoot[]
  /** The verdict in the file is about other evidence than the file holds. */
  readonly otherEvidence: boolean
}

/**
 * Policies are compared member by member, roots by their SHA-256. `here` is what this installation judges by,
 * and the verdict that it came to.
 */
function differencesOf(
  proof: Proof,
  here: { policy: object; roots: readonly TrustRoot[]; verdict: Verdict },
): ProofDifferences {
  const without = (roots: readonly TrustRoot[], others: readonly TrustRoot[]) =>
    roots.filter(({ sha256 }) => !others.some((other) => other.sha256 === sha256))
  return {
    policy: policyDifferences('', asJson(proof.policy), asJson(here.policy)),
    rootsOnlyInFile: without(proof.trust.roots, here.roots),
    rootsOnlyHere: without(here.roots, proof.trust.roots),
    otherEvidence: proof.verdict.evidenceDigest !== here.verdict.evidenceDigest,
  }
}

function policyDifferences(
  path: string,
  file: JsonValue | undefined,
  here: JsonValue | undefined,
): ProofDifferences['policy'] {
  if (isJsonObject(file) && isJsonObject(here)) {
    const names = [...new Set([...Object.keys(file), ...Object.keys(here)])].sort()
    return names.flatMap((name) =>
      policyDifferences(path === '' ? name : `${path}.${name}`, file[name], here[name]),
    )
  }
  if (JSON.stringify(file) === JSON.stringify(here)) return []
  return [{ path, ...(file !== undefined && { file }), ...(here !== undefined && { here }) }]
}

function asJson(value: object): JsonValue {
  return parseStrictJson(JSON.stringify(value))
}
