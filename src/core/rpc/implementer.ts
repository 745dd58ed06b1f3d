import { implement } from '@orpc/server'
import { contract } from '../../shared/contract/sotto-contract.ts'
import type { Caller } from '../gateway/callers/index.ts'
import { withFailures } from './failure.ts'

/** The contract, each call to be given its handler. Whatever is thrown below it crosses as a coded failure. */
export function createImplementer() {
  return implement(contract)
    .$context<{ readonly caller: Caller }>()
    .use(({ next }) => withFailures(async () => await next()))
}

export type Implementer = ReturnType<typeof createImplementer>
