import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/** Answers appContract. `begin` alone needs an open vault, and throws vault/locked. */
export function appArea(core: ApiContext, os: Implementer['app']) {
  return {
    status: os.status.handler(() => core.status()),
    acknowledge: os.acknowledge.handler(({ input }) => {
      core.acknowledge(input.noticeId)
      return core.status()
    }),
    begin: os.begin.handler(() => {
      core.open().store.settings.set('begun', 'yes')
      return core.status()
    }),
  }
}
