import { msg } from '../message.ts'
import type { CodePolicy } from '../policy.ts'
import type { JsonObject, JsonValue } from '../strict-json.ts'
import { parseOnce } from '../parse-once.ts'
import {
  authenticateStatement,
  requireWorkflow,
  SigstoreRefusal,
  type AuthenticatedStatement,
} from '../sigstore/index.ts'
import type { SignedArtifact } from './collateral.ts'
import { parseExactIntegers } from './exact-json.ts'

const TAGS = 'refs/tags/'

/** The facts that a verified signature states about a released file of the publisher. */
export interface Artifact {
  /** Of the file. */
  readonly name: string
  /** Lowercase hex SHA-256 of the file. */
  readonly digest: string
  /** `owner/name` on GitHub. */
  readonly repository: string
  readonly tag: string
  /** 40 lowercase hex digits. */
  readonly commit: string
  /** The whole statement, with integers as bigints. */
  readonly statement: { readonly predicate: unknown }
  readonly signed: AuthenticatedStatement
}

/** The required signer. If it names a workflow, no other workflow of the repository is accepted. */
type Signer = CodePolicy & { readonly workflow?: string }

interface VerificationInput {
  readonly trustedRoot: string
  /** Unix ms. */
  readonly now: number
}

/**
 * Authenticates the statement about a release. Signer, tag and file must be those of the document and the
 * policy.
 *
 * @throws {SigstoreRefusal} sigstore/…
 */
export function authenticateArtifact(
  { repository, tag, digest, sigstoreBundle }: SignedArtifact,
  policy: Signer,
  input: VerificationInput,
): Artifact {
  if (repository !== policy.repository) throw new SigstoreRefusal('sigstore/repository-mismatch', repository)
  const signed = authenticate(sigstoreBundle, digest, policy, input)
  const signedTag = signed.ref.startsWith(TAGS) ? signed.ref.slice(TAGS.length) : ''
  if (signedTag === '' || (tag !== '' && tag !== signedTag))
    throw new SigstoreRefusal('sigstore/ref-mismatch', signed.ref)
  // The prefix `v` also matches tags that aren't versions. The name of a version has a digit after it.
  if (policy.refPrefix.endsWith('/v') && !/^v\d/.test(signedTag))
    throw new SigstoreRefusal('sigstore/ref-mismatch', signed.ref)
  const name = signed.statement.subject[0]?.name
  if (!name) throw new SigstoreRefusal('sigstore/subject-missing', msg('a file without a name'))
  return {
    name,
    digest,
    repository,
    tag: signedTag,
    commit: signed.commit,
    statement: parseStatement(signed),
    signed,
  }
}

/**
 * Authenticates the witness that an artifact is still in use.
 *
 * @returns the signed content, and when a log first recorded it (Unix ms); times of timestamp authorities
 * don't count
 * @throws {SigstoreRefusal} sigstore/…
 */
export function authenticateWitness(
  bundle: JsonObject,
  { digest }: Artifact,
  policy: Signer,
  input: VerificationInput,
): { readonly statement: unknown; readonly loggedAt: number | undefined } {
  const signed = authenticate(bundle, digest, policy, input)
  // The ref must be exactly this branch, not another branch with the same prefix.
  if (signed.ref !== policy.refPrefix) throw new SigstoreRefusal('sigstore/ref-mismatch', signed.ref)
  return {
    statement: parseStatement(signed),
    loggedAt: signed.logTimes.length > 0 ? Math.min(...signed.logTimes) : undefined,
  }
}

function authenticate(
  bundle: JsonValue,
  digest: string,
  policy: Signer,
  input: VerificationInput,
): AuthenticatedStatement {
  const signed = authenticateStatement({ bundle, digest, policy, ...input }, () => undefined)
  if (policy.workflow !== undefined)
    requireWorkflow(signed.certificate, signed.ref, { ...policy, workflow: policy.workflow })
  return signed
}

const parsePayload = parseOnce(parseExactIntegers)

function parseStatement({ payload }: AuthenticatedStatement): { readonly predicate: unknown } {
  try {
    const statement = parsePayload(payload)
    if (typeof statement === 'object' && statement !== null && 'predicate' in statement) return statement
  } catch {
    // As any other content that can't be read.
  }
  throw new SigstoreRefusal('sigstore/statement-malformed', msg('a payload that isn’t strict JSON in UTF-8'))
}
