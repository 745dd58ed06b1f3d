import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

export function libraryArea(core: ApiContext, os: Implementer['library']) {
  return {
    search: os.search.handler(({ input }) => core.open().library.search(input.question, input.limit)),
  }
}
