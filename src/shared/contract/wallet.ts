import { z } from 'zod'
import { spendingLimitsSchema } from '../lightning.ts'
import { automaticTopupSchema, walletFundsSchema, walletSchema } from '../wallet.ts'
import { call } from './call.ts'

/** A connection string is a spending key: it crosses towards the core, and never back. */
const connection = z.string().min(1).max(2048)
/** Dollars in decimal text. */
const dollars = z.string().regex(/^\d{1,6}(\.\d{1,2})?$/)

export const walletContract = {
  get: call.output(walletSchema),
  /**
   * Queries the wallet's features, asks for confirmation outside the window, and saves the connection in
   * the vault in place of the earlier one. Throws wallet/connection-invalid, wallet/unreachable,
   * wallet/cannot-pay, wallet/encryption, confirm/….
   */
  connect: call.input(z.object({ connection })).output(walletSchema),
  /** Connects the simulated wallet of the sandbox. Throws sandbox/off, wallet/in-use. */
  connectSandbox: call.output(walletSchema),
  /** Throws wallet/in-use while it makes a payment. */
  disconnect: call.output(walletSchema),
  funds: call.output(walletFundsSchema),
  /** To raise one asks for confirmation outside the window; to lower one does not. */
  setLimits: call.input(spendingLimitsSchema).output(walletSchema),
  forgetHost: call.input(z.object({ host: z.string().min(1).max(300) })).output(walletSchema),
  /** Resumes automatic payments after repeated failures. */
  resume: call.output(walletSchema),

  automaticTopup: call.output(automaticTopupSchema),
  /**
   * Passes a connection to the service, after a confirmation outside the window. Refuses the connection
   * that this installation pays with. While the sandbox is the service, the word `sandbox` means its own
   * wallet's connection. Throws wallet/connection-invalid, wallet/same-connection, request/invalid,
   * confirm/….
   */
  connectAutomaticTopup: call
    .input(z.object({ connection, threshold: dollars, amount: dollars }))
    .output(automaticTopupSchema),
  disconnectAutomaticTopup: call.output(automaticTopupSchema),
}
