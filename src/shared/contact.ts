import { z } from 'zod'

const contactUses = [
  'service',
  'service-audio',
  'enclave',
  'enclave-direct',
  'service-enclave',
  'image-record',
  'wallet-relay',
  'tool-server',
  'outbound-proxy',
  'revocation-lists',
  'updates',
] as const

/** A host that Sotto may connect to, and what for. */
export const contactSchema = z.object({
  /** With the port, unless it's the default port. */
  host: z.string(),
  use: z.enum(contactUses),
  /** The host is this computer, so no data leaves it. */
  loopback: z.boolean(),
})
export type Contact = z.infer<typeof contactSchema>
