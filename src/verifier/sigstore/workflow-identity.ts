import { msg } from '../message.ts'
import { SigstoreRefusal } from './refusal.ts'
import type { FulcioCertificate } from './fulcio-certificate.ts'

/** Whose workflow must have run, and on what. */
export interface WorkflowPolicy {
  readonly oidcIssuer: string
  /** `owner/name` on GitHub. */
  readonly repository: string
  readonly refPrefix: string
}

/** Throws SigstoreRefusal `sigstore/issuer-mismatch`. */
export function requireIssuer({ issuer }: FulcioCertificate, policy: WorkflowPolicy): string {
  if (issuer !== policy.oidcIssuer)
    throw new SigstoreRefusal('sigstore/issuer-mismatch', issuer ?? msg('none'))
  return issuer
}

/** The workflow's own file must stand in the repository that it ran for. Throws SigstoreRefusal `sigstore/repository-mismatch`. */
export function requireRepository(
  { repository, subject }: FulcioCertificate,
  policy: WorkflowPolicy,
): string {
  if (repository !== policy.repository)
    throw new SigstoreRefusal('sigstore/repository-mismatch', repository ?? msg('none'))
  if (workflowOf(subject).repository !== policy.repository)
    throw new SigstoreRefusal('sigstore/repository-mismatch', subject)
  return subject
}

/**
 * The ref must begin as the policy says, and be the one and only ref of the subject: in `@refs/heads/x@refs/tags/y` neither is.
 * Throws SigstoreRefusal `sigstore/ref-mismatch`.
 */
export function requireRef({ ref, subject }: FulcioCertificate, policy: WorkflowPolicy): string {
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

/** The source is that of the workflow's own repository. Throws SigstoreRefusal `sigstore/repository-mismatch`. */
export function requireSourceRepository({ source }: FulcioCertificate, policy: WorkflowPolicy): void {
  if (source.repository !== `https://github.com/${policy.repository}`)
    throw new SigstoreRefusal('sigstore/repository-mismatch', source.repository ?? msg('no source'))
}

/** The source is that of the ref which the workflow ran on. Throws SigstoreRefusal `sigstore/ref-mismatch`. */
export function requireSourceRef({ source, ref }: FulcioCertificate): void {
  if (source.ref === undefined || source.ref !== ref)
    throw new SigstoreRefusal('sigstore/ref-mismatch', source.ref ?? msg('no source'))
}

/**
 * Of all workflows of the repository it must be this one, and itself what signed.
 *
 * @param ref the one that was required
 * Throws SigstoreRefusal `sigstore/workflow-mismatch`.
 */
export function requireWorkflow(
  { subject, buildSigner }: FulcioCertificate,
  ref: string,
  { repository, workflow }: WorkflowPolicy & { readonly workflow: string },
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

/** A subject of GitHub Actions names the workflow's repository, file and ref. All behind the first `@` counts as ref, further `@` included. */
function workflowOf(subject: string): { repository: string | undefined; ref: string | undefined } {
  const [, repository, ref] = WORKFLOW.exec(subject) ?? []
  return { repository, ref }
}
