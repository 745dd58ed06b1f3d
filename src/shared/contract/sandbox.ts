import { z } from 'zod'
import { sandboxFaultSchema, sandboxPlatformSchema } from '../sandbox-faults.ts'
import { routeFaultSchema, sandboxRouteSchema } from '../sandbox-routes.ts'
import { sandboxWalletFaultSchema } from '../sandbox-wallet-faults.ts'
import { call } from './call.ts'

export const sandboxContract = {
  faults: call.output(z.array(sandboxFaultSchema)),
  setFault: call
    .input(z.object({ fault: sandboxFaultSchema, on: z.boolean() }))
    .output(z.array(sandboxFaultSchema)),
  /** The platform of its enclave. */
  platform: call.output(sandboxPlatformSchema),
  setPlatform: call.input(z.object({ platform: sandboxPlatformSchema })).output(sandboxPlatformSchema),
  /** The simulated fault of its wallet; null if there is none, or if the sandbox isn't the service. */
  walletFault: call.output(sandboxWalletFaultSchema.nullable()),
  setWalletFault: call
    .input(z.object({ fault: sandboxWalletFaultSchema.nullable() }))
    .output(sandboxWalletFaultSchema.nullable()),
  /** Its routes, with the simulated fault of each; none if the sandbox isn't the service. */
  routes: call.output(z.array(sandboxRouteSchema)),
  /** Sets the same fault for all of these routes. Null: no fault. */
  setRouteFault: call
    .input(
      z.object({ routes: z.array(z.string().max(200)).min(1).max(200), fault: routeFaultSchema.nullable() }),
    )
    .output(z.array(sandboxRouteSchema)),
}
