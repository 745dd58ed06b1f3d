import type { Wallet } from '../../../shared/wallet.ts'
import { readSpendingLimits } from './index.ts'
import type { UnlockedCore } from '../../rpc/context.ts'

/** What the window sees of the wallet, of what may be spent, and of what was. */
export function walletView({
  wallet,
  payer,
  store,
  rate,
}: Pick<UnlockedCore, 'wallet' | 'payer' | 'store' | 'rate'>): Wallet {
  const { day, held, hosts } = payer.spent()
  const paused = payer.paused()
  const known = rate.now()
  return {
    connection: wallet.view(),
    limits: readSpendingLimits(store.settings),
    spent: { day: day.toString(), held: held.toString() },
    hosts: hosts.map(({ host, inDay, firstPaidAt }) => ({ host, spentInDay: inDay.toString(), firstPaidAt })),
    ...(paused && { paused }),
    ...(known && { rate: { picoUsdPerSat: known.picoUsdPerSat.toString(), learnedAt: known.learnedAt } }),
  }
}
