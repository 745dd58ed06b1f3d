import { SottoError } from '../../../shared/errors.ts'
import type { ApiContext, SandboxControls } from '../context.ts'
import type { Implementer } from '../implementer.ts'

export function sandboxArea(core: ApiContext, os: Implementer['sandbox']) {
  function sandbox(): SandboxControls {
    if (!core.sandbox) throw new SottoError('sandbox/off')
    return core.sandbox
  }

  return {
    faults: os.faults.handler(() => core.sandbox?.faults() ?? []),
    setFault: os.setFault.handler(({ input }) => {
      sandbox().setFault(input.fault, input.on)
      return sandbox().faults()
    }),
    platform: os.platform.handler(() => sandbox().platform()),
    setPlatform: os.setPlatform.handler(({ input }) => {
      sandbox().setPlatform(input.platform)
      return sandbox().platform()
    }),
  }
}
