import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'
import { tagOf, type NostrEvent } from './event.ts'

/** The operations that a wallet permits for this connection. */
export interface WalletCapabilities {
  /** NIP-47 methods, only those that both its info event and get_info name. */
  readonly methods: readonly string[]
  readonly canLookUp: boolean
  /** The wallet's name for itself: untrusted, one line of at most 80 characters. */
  readonly alias?: string
  /** `mainnet`, `testnet`, `signet` or `regtest`, according to the wallet. */
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
 * Returns the methods in the info event (kind 13194).
 * @throws {SottoError} wallet/encryption – the wallet only supports NIP-04, which leaks data and isn't
 * authenticated; wallet/cannot-pay
 */
export function announcedMethods(info: NostrEvent): readonly string[] {
  // A wallet without the tag predates NIP-44.
  const encryptions = (tagOf(info, 'encryption') ?? '').split(/[\s,]+/)
  if (!encryptions.includes('nip44_v2')) throw new SottoError('wallet/encryption')
  return payingMethods(info.content.split(/[\s,]+/))
}

/**
 * Returns the capabilities in both the info event and get_info, because the connection may have fewer
 * permissions than the wallet announces.
 * @param result of get_info
 * @throws {SottoError} wallet/unreachable – the result is unreadable; wallet/cannot-pay
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

/** For a wallet without get_info. */
export function announcedCapabilities(announced: readonly string[]): WalletCapabilities {
  return { methods: announced, canLookUp: announced.includes('lookup_invoice') }
}

function payingMethods(names: readonly string[]): readonly string[] {
  const methods = [...new Set(names.filter((name) => word.test(name)))].slice(0, 50)
  if (!methods.includes('pay_invoice')) throw new SottoError('wallet/cannot-pay')
  return methods
}
