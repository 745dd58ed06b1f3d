import { z } from 'zod'
import { accountNameSchema, serviceAccountSchema } from '../service-account.ts'
import { statusSchema } from '../status.ts'
import { call, idSchema } from './call.ts'

/** At least one of the two. */
const credentials = z.object({ apiKey: z.string().exactOptional(), creditId: z.string().exactOptional() })
const one = z.object({ accountId: idSchema })
/** Long enough that guessing it costs more than an account holds; the words of it are the user's. */
const passphrase = z.string().min(12).max(1000)

/**
 * Several accounts can be saved, and one is active. The window receives credentials only from the calls
 * that state it. If an account is saved already, adding another one requires confirmation outside the
 * window, because an attacker could add their own account for the user to top up.
 */
export const accountsContract = {
  list: call.output(z.array(serviceAccountSchema)),
  /**
   * Saves an existing account and makes it active. An account that has only a key can be completed with its
   * credit ID; one that has a credit ID can be given another of its keys. Throws the service's refusal of a
   * key, account/already-exists, request/invalid, confirm/….
   */
  connect: call
    .input(
      z.object({
        apiKey: z.string().min(8).max(200),
        creditId: z.string().min(8).max(200).optional(),
        name: accountNameSchema.optional(),
      }),
    )
    .output(statusSchema),
  /**
   * Creates an account at the service, saves it and makes it active. Returns the credentials from the
   * service: both, or the only one.
   */
  create: call
    .input(z.object({ name: accountNameSchema.optional() }).optional())
    .output(z.object({ status: statusSchema, account: serviceAccountSchema, credentials })),
  activate: call.input(one).output(statusSchema),
  rename: call.input(one.extend({ name: accountNameSchema })).output(serviceAccountSchema),
  /** The owner confirms that they have saved the credentials elsewhere. */
  markSaved: call.input(one).output(serviceAccountSchema),
  /** Deactivates the account; all accounts remain saved. */
  disconnect: call.output(statusSchema),
  /**
   * Removes the account from the vault, after a confirmation outside the window unless it has play money.
   * Throws account/unknown, confirm/….
   */
  forget: call.input(one).output(statusSchema),
  /** Its credentials in full, after a confirmation outside the window. */
  reveal: call.input(one).output(credentials),
  /** All accounts in one text, encrypted under the passphrase, after a confirmation outside the window; they count as saved then. */
  backup: call.input(z.object({ passphrase })).output(z.object({ fileName: z.string(), text: z.string() })),
  /**
   * Adds the accounts of this service from a backup. An active account stays active. Throws
   * account/backup-invalid, account/backup-passphrase, confirm/….
   */
  restore: call
    .input(z.object({ text: z.string().max(1024 * 1024), passphrase: z.string().max(1000) }))
    .output(z.array(serviceAccountSchema)),
  /** Pico-USD, of the active account. */
  balance: call.output(z.object({ picoUsd: z.string() })),
}
