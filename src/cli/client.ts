import { createORPCClient, ORPCError } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import type { Host } from '../host/host.ts'
import type { contract } from '../shared/contract/sotto-contract.ts'
import { failureSchema, type Failure } from '../shared/contract/failure.ts'
import { tryAgainIn } from '../shared/confirm.ts'
import { SottoError } from '../shared/errors.ts'
import { renderEnglish } from '../shared/localized-text.ts'

export type ContractClient = ContractRouterClient<typeof contract>

/** The core that runs a command's work, in this process or another. */
export interface CommandClient {
  readonly client: ContractClient
  /** Reaches the paths for files, which aren't part of the contract. */
  readonly fetch: (request: Request) => Promise<Response>
  /** This process owns the data folder, so work in progress ends with it. */
  readonly ownsDataFolder: boolean
}

/** A failure of the command itself, or one that didn't come through the contract. */
export class CommandFailure extends Error {
  override name = 'CommandFailure'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.says)
    this.failure = failure
  }
}

/** Creates a contract client for a host in this process. */
export function clientOf(host: Pick<Host, 'asOwner'>): ContractClient {
  return clientOver((request) => host.asOwner(request))
}

/** Creates a contract client that sends its requests through `fetch`. */
export function clientOver(fetch: (request: Request) => Promise<Response>): ContractClient {
  return createORPCClient(
    new RPCLink({ url: 'http://sotto.invalid/api', fetch: (request) => fetch(request) }),
  )
}

/** Sotto was updated but not restarted. */
const OTHER_VERSION: Failure = {
  code: 'host/already-running',
  says: 'The running Sotto is another version than this command and doesn’t support it.',
  remedy: 'Quit Sotto and start it again.',
}

/** Returns the failure of a call, or null if the error isn't one of Sotto's. */
export function failureOf(thrown: unknown): Failure | null {
  if (thrown instanceof CommandFailure) return thrown.failure
  if (thrown instanceof SottoError) return { code: thrown.code, says: thrown.message, remedy: '' }
  if (thrown instanceof ORPCError && thrown.code === 'NOT_FOUND') return OTHER_VERSION
  if (!(thrown instanceof ORPCError) || thrown.code !== 'SOTTO') return null
  const parsed = failureSchema.safeParse(thrown.data)
  return parsed.success ? parsed.data : null
}

/** Includes the code, so that scripts can tell failures apart. */
export function failureLine(failure: Failure): string {
  return `${wordsOf(failure)} (${failure.code})`
}

/** In English: the failure, its detail, its remedy and the wait. */
export function wordsOf({ says, detail, remedy, retryAfterSeconds }: Failure): string {
  const wait = retryAfterSeconds === undefined ? undefined : renderEnglish(tryAgainIn(retryAfterSeconds))
  return [says, detail && renderEnglish(detail), remedy, wait].filter(Boolean).join(' ')
}
