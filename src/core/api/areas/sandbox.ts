import { SottoError } from '../../../shared/errors.ts'
import type { RouteFault, SandboxRoute } from '../../../shared/sandbox-routes.ts'
import type { ApiContext, SandboxControls } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/**
 * Answers sandboxContract. Where the sandbox is not the service, both lists are empty and the wallet's fault is null; all else throws
 * sandbox/off. Throws sandbox/route-fault for a route that is unknown or cannot fail so.
 */
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
    walletFault: os.walletFault.handler(async () => (await core.sandbox?.walletFault()) ?? null),
    setWalletFault: os.setWalletFault.handler(async ({ input: { fault } }) => {
      await (await sandbox().wallet()).setFault(fault)
      return sandbox().walletFault()
    }),
    routes: os.routes.handler(async () => [
      ...((await core.sandbox?.control().then((control) => control.routes())) ?? []),
    ]),
    setRouteFault: os.setRouteFault.handler(async ({ input: { routes, fault } }) => {
      const control = await sandbox().control()
      // All of them or none: what cannot be told to one of them is told to no other.
      const known = new Map(control.routes().map((route) => [route.name, route]))
      if (!routes.every((name) => can(known.get(name), fault))) throw new SottoError('sandbox/route-fault')
      for (const name of routes) control.setRouteFault(name, fault)
      return [...control.routes()]
    }),
  }
}

function can(route: SandboxRoute | undefined, fault: RouteFault | null): boolean {
  return (
    route !== undefined &&
    (route.fails || (fault?.status === undefined && fault?.cut !== true && fault?.stalled !== true))
  )
}
