import type { LightningWallet } from '../index.ts'

/**
 * A wallet that is opened when it is first asked. As every LightningWallet it never throws: where it could not be opened
 * nothing left, so nothing was paid, and nothing is known of what was paid before.
 */
export function lazyWallet(
  { publicKey, canLookUp }: Pick<LightningWallet, 'publicKey' | 'canLookUp'>,
  open: () => Promise<LightningWallet>,
): LightningWallet {
  return {
    publicKey,
    canLookUp,
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
