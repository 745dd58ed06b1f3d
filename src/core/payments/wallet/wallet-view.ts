import type { Wallet } from '../../../shared/wallet.ts'
import { readSpendingLimits } from './index.ts'
import type { UnlockedCore } from '../../rpc/context.ts'

/** Builds the window's view of the wallet, the spending limits, and the spent amounts. */
export function walletView({
  wallet,
  payer,
  store,
  rate,
}: Pick<UnlockedCore, 'wallet' | 'payer' | 'store' | 'rate'>): Wallet {
  const { day, reserved, hosts } = payer.spent()
  const paused = payer.paused()
  const known = rate.now()
  return {
    connection: wallet.view(),
    limits: readSpendingLimits(store.settings),
    spent: { day: day.toString(), held: reserved.toString() },
    hosts: hosts.map(({ host, inDay, firstPaidAt }) => ({ host, spentInDay: inDay.toString(), firstPaidAt })),
    ...(paused && { paused }),
    ...(known && { rate: { picoUsdPerSat: known.picoUsdPerSat.toString(), learnedAt: known.learnedAt } }),
  }
}
