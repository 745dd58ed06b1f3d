import { implement } from '@orpc/server'
import { contract } from '../../shared/contract/sotto-contract.ts'
import { withFailures } from './failure.ts'

/** Set by the host for requests that come through the owner's socket rather than from the window. */
export interface RequestContext {
  readonly caller: 'window' | 'cli'
}

/** The contract, each call to be given its handler. Whatever is thrown below it crosses as a coded failure. */
export function createImplementer() {
  return implement(contract).$context<RequestContext>().use(({ next }) => withFailures(async () => await next()))
}

export type Implementer = ReturnType<typeof createImplementer>
