import { createORPCClient, ORPCError } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { ownerFetch, startHost, type Host, type Settings } from '../host/index.ts'
import type { contract } from '../shared/contract/sotto-contract.ts'
import { failureSchema, type Failure } from '../shared/contract/sotto-contract.ts'
import { SottoError } from '../shared/errors.ts'
import { inEnglish } from '../shared/say.ts'
import { createTerminalConfirm } from './terminal-confirm.ts'

export type DoorClient = ContractRouterClient<typeof contract>

/** Where a command's work is done. */
export interface Door {
  readonly client: DoorClient
  /** The paths beside the contract, by which files go in and out. */
  readonly fetch: (request: Request) => Promise<Response>
  /** This process owns the data folder: what is under way ends with it. */
  readonly own: boolean
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

/** Does `work` through the owner of the data folder; where there is none, this process owns it for as long as it takes. */
export async function throughDoor<T>(settings: Settings, work: (client: DoorClient, door: Door) => Promise<T>): Promise<T> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`)
  try {
    await using host = await startHost({ settings, confirm: createTerminalConfirm(say), anyPort: true })
    const fetch = (request: Request): Promise<Response> => host.api(request, { caller: 'cli' })
    const client = clientOver(fetch)
    return await work(client, { client, fetch, own: true })
  } catch (thrown) {
    if (thrown instanceof SottoError && thrown.code === 'host/owned') {
      const fetch = ownerFetch(settings.dataDir)
      const client = clientOver(fetch)
      return work(client, { client, fetch, own: false })
    }
    throw thrown
  }
}

/** The contract over a host of this process. */
export function clientOf(host: Pick<Host, 'api'>): DoorClient {
  return clientOver((request) => host.api(request, { caller: 'cli' }))
}

/** The contract over a door that is reached so. */
export function clientOver(fetch: (request: Request) => Promise<Response>): DoorClient {
  return createORPCClient(new RPCLink({ url: 'http://sotto.invalid/api', fetch: (request) => fetch(request) }))
}

/** What a call failed with, where it is one of ours. */
export function failureOf(thrown: unknown): Failure | null {
  if (thrown instanceof CommandFailure) return thrown.failure
  if (thrown instanceof SottoError) return { code: thrown.code, says: thrown.message, remedy: '' }
  if (!(thrown instanceof ORPCError) || thrown.code !== 'SOTTO') return null
  const parsed = failureSchema.safeParse(thrown.data)
  return parsed.success ? parsed.data : null
}

export function failureLine(failure: Failure): string {
  return `${wordsOf(failure)} (${failure.code})`
}

export function wordsOf({ says, detail, remedy }: Failure): string {
  return [says, detail && inEnglish(detail), remedy].filter(Boolean).join(' ')
}
