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
 * Several accounts are kept, and one is active. Credentials cross to the window only where a call says so. Where an account
 * is kept already, another is added only after a confirmation outside the window: it could be somebody else's, to be topped up.
 */
export const accountsContract = {
  list: call.output(z.array(serviceAccountSchema)),
  /**
   * Keeps an existing account and makes it the active one. One that is kept by its key alone is completed by its credit id, and
   * one that has a credit id takes another of its keys. Throws the service's refusal of a key, account/already-exists, request/invalid, confirm/….
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
  /** Creates an account at the service, saves it and makes it active. Returns the credentials that the service gave: both, or the only one. */
  create: call
    .input(z.object({ name: accountNameSchema.optional() }).optional())
    .output(z.object({ status: statusSchema, account: serviceAccountSchema, credentials })),
  activate: call.input(one).output(statusSchema),
  rename: call.input(one.extend({ name: accountNameSchema })).output(serviceAccountSchema),
  /** The owner says that its credentials are kept elsewhere. */
  markSaved: call.input(one).output(serviceAccountSchema),
  /** No account is active any more; all stay kept. */
  disconnect: call.output(statusSchema),
  /** Takes it out of the vault, after a confirmation outside the window; play money needs none. Throws account/unknown, confirm/…. */
  forget: call.input(one).output(statusSchema),
  /** Its credentials in full, after a confirmation outside the window. */
  reveal: call.input(one).output(credentials),
  /** All accounts in one text, encrypted under the passphrase, after a confirmation outside the window; they count as saved then. */
  backup: call.input(z.object({ passphrase })).output(z.object({ fileName: z.string(), text: z.string() })),
  /** Adds what a backup holds of this service; which one is active does not change where there is one. Throws account/backup-invalid, account/backup-passphrase, confirm/…. */
  restore: call
    .input(z.object({ text: z.string().max(1024 * 1024), passphrase: z.string().max(1000) }))
    .output(z.array(serviceAccountSchema)),
  /** Pico-USD, of the active account. */
  balance: call.output(z.object({ picoUsd: z.string() })),
}
