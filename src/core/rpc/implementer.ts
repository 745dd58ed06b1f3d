import { implement } from '@orpc/server'
import { contract } from '../../shared/contract/sotto-contract.ts'
import type { Caller } from '../gateway/callers/index.ts'
import { withFailures } from './failure.ts'

/**
 * Creates the implementer of the contract, which gets the handler of each call. Errors of handlers become
 * failures with codes.
 */
export function createImplementer() {
  return implement(contract)
    .$context<{ readonly caller: Caller }>()
    .use(({ next }) => withFailures(async () => await next()))
}

export type Implementer = ReturnType<typeof createImplementer>
