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
   * Asks the wallet what it can do, has it confirmed outside the window, and keeps the connection in the vault in place of
   * the one before. Throws wallet/connection-invalid, wallet/unreachable, wallet/cannot-pay, wallet/encryption, confirm/….
   */
  connect: call.input(z.object({ connection })).output(walletSchema),
  /** The sandbox's own pretended wallet. Throws sandbox/off, wallet/in-use. */
  connectSandbox: call.output(walletSchema),
  /** Throws wallet/in-use while a payment is under way with it. */
  disconnect: call.output(walletSchema),
  funds: call.output(walletFundsSchema),
  /** To raise one asks for confirmation outside the window; to lower one does not. */
  setLimits: call.input(spendingLimitsSchema).output(walletSchema),
  forgetHost: call.input(z.object({ host: z.string().min(1).max(300) })).output(walletSchema),
  /** Pays by itself again after failures in a row. */
  resume: call.output(walletSchema),

  automaticTopup: call.output(automaticTopupSchema),
  /**
   * Hands a connection to the service, after a confirmation outside the window. It is refused where it is the one that this
   * installation pays with. While the sandbox is the service, the word `sandbox` stands for its own wallet's connection. Throws
   * wallet/connection-invalid, wallet/same-connection, request/invalid, confirm/….
   */
  connectAutomaticTopup: call
    .input(z.object({ connection, threshold: dollars, amount: dollars }))
    .output(automaticTopupSchema),
  disconnectAutomaticTopup: call.output(automaticTopupSchema),
}
