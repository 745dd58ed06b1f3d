import { SottoError } from '../../../shared/errors.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

export function sandboxArea(core: ApiContext, os: Implementer['sandbox']) {
  return {
    faults: os.faults.handler(() => core.sandbox?.faults() ?? []),
    setFault: os.setFault.handler(({ input }) => {
      if (!core.sandbox) throw new SottoError('sandbox/off')
      core.sandbox.setFault(input.fault, input.on)
      return core.sandbox.faults()
    }),
  }
}
