import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'
import { tagOf, type NostrEvent } from './event.ts'

/** What a wallet lets this connection do. */
export interface WalletCapabilities {
  /** NIP-47 methods, those alone that both its info event and get_info name. */
  readonly methods: readonly string[]
  readonly canLookUp: boolean
  /** As it calls itself: untrusted, one line of at most 80 characters. */
  readonly alias?: string
  /** `mainnet`, `testnet`, `signet` or `regtest`, by its own account. */
  readonly network?: string
}

const word = /^[a-z0-9_]{1,40}$/
const infoSchema = z.object({
  alias: z.unknown().optional(),
  network: z.unknown().optional(),
  methods: z.array(z.string()).max(200),
})

const aliasSchema = z.string().max(1000)
const networkSchema = z.enum(['mainnet', 'testnet', 'signet', 'regtest'])

/**
 * What the info event (kind 13194) allows. Throws wallet/encryption where the wallet speaks NIP-04 alone, which leaks and
 * can be altered, and wallet/cannot-pay.
 */
export function announcedMethods(info: NostrEvent): readonly string[] {
  // Without the tag it is a wallet from before NIP-44.
  const encryptions = (tagOf(info, 'encryption') ?? '').split(/[\s,]+/)
  if (!encryptions.includes('nip44_v2')) throw new SottoError('wallet/encryption')
  return payingMethods(info.content.split(/[\s,]+/))
}

/**
 * What both the info event and get_info allow: permissions of the connection can be narrower than what the wallet announces.
 * Throws wallet/unreachable where the result cannot be read, wallet/cannot-pay.
 *
 * @param result of get_info
 */
export function capabilitiesOf(announced: readonly string[], result: unknown): WalletCapabilities {
  const read = infoSchema.safeParse(result)
  if (!read.success)
    throw new SottoError('wallet/unreachable', { detail: msg('The wallet doesn’t report its capabilities.') })
  const alias = aliasSchema.safeParse(read.data.alias).data
  const network = networkSchema.safeParse(read.data.network).data
  const methods = payingMethods(read.data.methods.filter((method) => announced.includes(method)))
  const name = alias
    ?.replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, 80)
  return {
    methods,
    canLookUp: methods.includes('lookup_invoice'),
    ...(name && { alias: name }),
    ...(network && { network }),
  }
}

/** Where the wallet has no get_info. */
export function announcedCapabilities(announced: readonly string[]): WalletCapabilities {
  return { methods: announced, canLookUp: announced.includes('lookup_invoice') }
}

function payingMethods(names: readonly string[]): readonly string[] {
  const methods = [...new Set(names.filter((name) => word.test(name)))].slice(0, 50)
  if (!methods.includes('pay_invoice')) throw new SottoError('wallet/cannot-pay')
  return methods
}
