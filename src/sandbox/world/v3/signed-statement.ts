import { provenance, statement, type SigstoreBundle } from '../provenance.ts'
import type { MintingWorld } from './document-desk.ts'
import type { WorkflowRun } from '../fulcio.ts'

/** A file that a workflow released: a freshness witness names exactly these five values. */
export interface Artifact {
  /** `owner/name`. */
  readonly repository: string
  readonly tag: string
  /** 40 hex digits. */
  readonly commit: string
  /** The name of the statement's subject. */
  readonly fileName: string
  /** SHA-256 of the file, hex. */
  readonly digest: string
}

/** A test's changes to a signed statement, before it's signed. */
export interface StatementChanges {
  /** The workflow that the certificate names. */
  readonly run?: Partial<WorkflowRun>
  /** The time that the log records, Unix ms in whole seconds. */
  readonly loggedAt?: number
  /** From the statement's JSON text to the bytes that are signed. */
  readonly payload?: (text: string) => string
}

interface StatementRequest {
  readonly run: WorkflowRun
  readonly fileName: string
  readonly digest: string
  readonly predicateType: string
  readonly predicate: object
  readonly loggedAt: number
}

/** Signs a statement as a workflow does, and logs it. The certificate begins a second before the log's time. */
export function signStatement(
  { fulcio, rekor }: Pick<MintingWorld, 'fulcio' | 'rekor'>,
  request: StatementRequest,
  changes: StatementChanges = {},
): SigstoreBundle {
  const text = statement(request).toString('utf8')
  return provenance(
    {
      ...request.run,
      ...changes.run,
      loggedAt: (changes.loggedAt ?? request.loggedAt) - 1000,
      statement: Buffer.from(changes.payload?.(text) ?? text, 'utf8'),
    },
    fulcio,
    rekor,
  )
}
