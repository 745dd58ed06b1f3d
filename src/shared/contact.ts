import { z } from 'zod'

const contactUses = [
  'service',
  'service-audio',
  'enclave',
  'enclave-direct',
  'service-enclave',
  'image-record',
  'wallet-relay',
  'outbound-proxy',
  'revocation-lists',
  'updates',
] as const

/** A host that Sotto may connect to, and what for. */
export const contactSchema = z.object({
  /** With the port, where it is not the usual one. */
  host: z.string(),
  use: z.enum(contactUses),
  /** It stands on this machine: nothing leaves it. */
  loopback: z.boolean(),
})
export type Contact = z.infer<typeof contactSchema>
