import type { WalletConnection } from '../../../shared/wallet.ts'
import type { LightningWallet } from '../index.ts'

/**
 * A wallet that is opened at its first use. Like every LightningWallet it never throws. If it can't be
 * opened, nothing was sent, so nothing was paid, and the outcome of earlier payments is unknown.
 */
export function lazyWallet(
  {
    publicKey,
    canLookUp,
    kind,
  }: Pick<LightningWallet, 'publicKey' | 'canLookUp'> & Partial<Pick<WalletConnection, 'kind'>>,
  open: () => Promise<LightningWallet>,
): LightningWallet {
  return {
    publicKey,
    canLookUp,
    ...(kind === 'sandbox' && { simulated: true }),
    async pay(invoice, options) {
      const wallet = await open().catch(() => undefined)
      if (!wallet) return { outcome: 'not-paid', code: 'wallet/unreachable' }
      return wallet.pay(invoice, options)
    },
    async lookUp(paymentHash, signal) {
      const wallet = await open().catch(() => undefined)
      return wallet ? wallet.lookUp(paymentHash, signal) : { state: 'unreachable' }
    },
  }
}
