import { createORPCClient, ORPCError } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import type { Host } from '../host/index.ts'
import type { contract } from '../shared/contract/sotto-contract.ts'
import { failureSchema, type Failure } from '../shared/contract/sotto-contract.ts'
import { tryAgainIn } from '../shared/confirm.ts'
import { SottoError } from '../shared/errors.ts'
import { renderEnglish } from '../shared/localized-text.ts'

export type ContractClient = ContractRouterClient<typeof contract>

/** Where a command's work is done. */
export interface CommandClient {
  readonly client: ContractClient
  /** The paths beside the contract, by which files go in and out. */
  readonly fetch: (request: Request) => Promise<Response>
  /** This process owns the data folder: what is under way ends with it. */
  readonly ownsDataFolder: boolean
}

/** A failure that came otherwise than by the contract, or is the command's own. */
export class CommandFailure extends Error {
  override name = 'CommandFailure'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.says)
    this.failure = failure
  }
}

/** The contract over a host of this process. */
export function clientOf(host: Pick<Host, 'asOwner'>): ContractClient {
  return clientOver((request) => host.asOwner(request))
}

/** The contract over a door that is reached so. */
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

/** What a call failed with, where it is one of ours. */
export function failureOf(thrown: unknown): Failure | null {
  if (thrown instanceof CommandFailure) return thrown.failure
  if (thrown instanceof SottoError) return { code: thrown.code, says: thrown.message, remedy: '' }
  if (thrown instanceof ORPCError && thrown.code === 'NOT_FOUND') return OTHER_VERSION
  if (!(thrown instanceof ORPCError) || thrown.code !== 'SOTTO') return null
  const parsed = failureSchema.safeParse(thrown.data)
  return parsed.success ? parsed.data : null
}

/** With its code, by which scripts tell failures apart. */
export function failureLine(failure: Failure): string {
  return `${wordsOf(failure)} (${failure.code})`
}

/** In English: the failure, its detail, its remedy and the wait. */
export function wordsOf({ says, detail, remedy, retryAfterSeconds }: Failure): string {
  const wait = retryAfterSeconds === undefined ? undefined : renderEnglish(tryAgainIn(retryAfterSeconds))
  return [says, detail && renderEnglish(detail), remedy, wait].filter(Boolean).join(' ')
}
