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

/** What a verified signature says about a file that the publisher released. */
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
  /** The whole statement, its whole numbers as bigints. */
  readonly statement: { readonly predicate: unknown }
  readonly signed: AuthenticatedStatement
}

/** Who must have signed; with a workflow, no other of the repository counts. */
type Signer = CodePolicy & { readonly workflow?: string }

interface VerificationInput {
  readonly trustedRoot: string
  /** Unix ms. */
  readonly now: number
}

/**
 * Authenticates the statement about a release: signer, tag and file are the ones that the document and the policy name.
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
  // `v` alone may begin the name of any tag; a version begins with a digit.
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
 * @returns the signed content, and when a log first recorded it (Unix ms): the word of a timestamp authority doesn't count
 * @throws {SigstoreRefusal} sigstore/…
 */
export function authenticateWitness(
  bundle: JsonObject,
  { digest }: Artifact,
  policy: Signer,
  input: VerificationInput,
): { readonly statement: unknown; readonly loggedAt: number | undefined } {
  const signed = authenticate(bundle, digest, policy, input)
  // A branch, and no other whose name begins with it.
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
