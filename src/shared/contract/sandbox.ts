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
  /** What its enclave stands on. */
  platform: call.output(sandboxPlatformSchema),
  setPlatform: call.input(z.object({ platform: sandboxPlatformSchema })).output(sandboxPlatformSchema),
  /** What its wallet is told to do wrong; null: nothing, or it is not the service. */
  walletFault: call.output(sandboxWalletFaultSchema.nullable()),
  setWalletFault: call
    .input(z.object({ fault: sandboxWalletFaultSchema.nullable() }))
    .output(sandboxWalletFaultSchema.nullable()),
  /** The routes that it serves, and what each is told to do wrong; none where it is not the service. */
  routes: call.output(z.array(sandboxRouteSchema)),
  /** Tells all of these routes the same, or none of them. Null: nothing is wrong. */
  setRouteFault: call
    .input(
      z.object({ routes: z.array(z.string().max(200)).min(1).max(200), fault: routeFaultSchema.nullable() }),
    )
    .output(z.array(sandboxRouteSchema)),
}
