import { msg } from '../message.ts'
import type { CodePolicy, WorkflowPolicy } from '../policy.ts'
import { SigstoreRefusal } from './refusal.ts'
import type { FulcioCertificate } from './fulcio-certificate.ts'

/** Throws SigstoreRefusal `sigstore/issuer-mismatch`. */
export function requireIssuer({ issuer }: FulcioCertificate, policy: Pick<CodePolicy, 'oidcIssuer'>): string {
  if (issuer !== policy.oidcIssuer)
    throw new SigstoreRefusal('sigstore/issuer-mismatch', issuer ?? msg('none'))
  return issuer
}

/**
 * The workflow file must be in the repository that the workflow ran for. Throws SigstoreRefusal
 * `sigstore/repository-mismatch`.
 */
export function requireRepository(
  { repository, subject }: FulcioCertificate,
  policy: Pick<CodePolicy, 'repository'>,
): string {
  if (repository !== policy.repository)
    throw new SigstoreRefusal('sigstore/repository-mismatch', repository ?? msg('none'))
  if (workflowOf(subject).repository !== policy.repository)
    throw new SigstoreRefusal('sigstore/repository-mismatch', subject)
  return subject
}

/**
 * The ref must begin with the policy's prefix and be the only ref of the subject. `@refs/heads/x@refs/tags/y`
 * has two, so it has no valid ref.
 *
 * @throws {SigstoreRefusal} `sigstore/ref-mismatch`
 */
export function requireRef(
  { ref, subject }: FulcioCertificate,
  policy: Pick<CodePolicy, 'refPrefix'>,
): string {
  if (!ref?.startsWith(policy.refPrefix) || ref.includes('@'))
    throw new SigstoreRefusal('sigstore/ref-mismatch', ref ?? msg('none'))
  if (workflowOf(subject).ref !== ref) throw new SigstoreRefusal('sigstore/ref-mismatch', subject)
  return ref
}

/** Throws SigstoreRefusal `sigstore/runner-mismatch`. */
export function requireRunner({ runnerEnvironment }: FulcioCertificate, expected: string): string {
  if (runnerEnvironment !== expected)
    throw new SigstoreRefusal('sigstore/runner-mismatch', runnerEnvironment ?? msg('none'))
  return runnerEnvironment
}

/**
 * The source must be the workflow's own repository. Throws SigstoreRefusal `sigstore/repository-mismatch`.
 */
export function requireSourceRepository(
  { source }: FulcioCertificate,
  policy: Pick<CodePolicy, 'repository'>,
): void {
  if (source.repository !== `https://github.com/${policy.repository}`)
    throw new SigstoreRefusal('sigstore/repository-mismatch', source.repository ?? msg('no source'))
}

/** The source must be the ref that the workflow ran on. Throws SigstoreRefusal `sigstore/ref-mismatch`. */
export function requireSourceRef({ source, ref }: FulcioCertificate): void {
  if (source.ref === undefined || source.ref !== ref)
    throw new SigstoreRefusal('sigstore/ref-mismatch', source.ref ?? msg('no source'))
}

/**
 * The policy's workflow must have run, and must be the signer itself.
 *
 * @param ref the ref that `requireRef` accepted
 * @throws {SigstoreRefusal} `sigstore/workflow-mismatch`
 */
export function requireWorkflow(
  { subject, buildSigner }: FulcioCertificate,
  ref: string,
  { repository, workflow }: Pick<WorkflowPolicy, 'repository' | 'workflow'>,
): string {
  const expected = `https://github.com/${repository}/${workflow}@${ref}`
  if (subject !== expected) throw new SigstoreRefusal('sigstore/workflow-mismatch', subject)
  if (buildSigner !== expected)
    throw new SigstoreRefusal('sigstore/workflow-mismatch', buildSigner ?? msg('none'))
  return subject
}

const COMMIT = /^[0-9a-f]{40}$/

/** Throws SigstoreRefusal `sigstore/commit-missing`. */
export function requireCommit({ source }: FulcioCertificate): string {
  if (!source.digest || !COMMIT.test(source.digest))
    throw new SigstoreRefusal('sigstore/commit-missing', source.digest ?? msg('none'))
  return source.digest
}

const WORKFLOW = /^https:\/\/github\.com\/([^/]+\/[^/]+)\/\.github\/workflows\/[^/@]+@(.*)$/s

/**
 * A subject of GitHub Actions names the workflow's repository, file and ref. The text after the first `@` is
 * the ref, including any further `@`.
 */
function workflowOf(subject: string): { repository: string | undefined; ref: string | undefined } {
  const [, repository, ref] = WORKFLOW.exec(subject) ?? []
  return { repository, ref }
}
