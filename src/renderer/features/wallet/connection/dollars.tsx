import { formatUsd } from '../../../ui/format/money.ts'
import { usePurchases } from '../purchases/purchase-store.ts'
import { lastRate } from '../purchases/purchase-words.ts'
import { picoUsdAt } from '../sats.ts'
import styles from './connection.module.css'

/** What sats came to in dollars at the service's last quote; nothing where it never named both. `sentence`: by itself. */
export function Dollars({ msat, sentence = false }: { msat: string; sentence?: boolean }) {
  const purchases = usePurchases((state) => state.purchases)
  const rate = lastRate(purchases)
  if (!rate || BigInt(msat) === 0n) return null
  return <span className={styles.dim} title="At the rate of the service’s last quote">{sentence ? ' About ' : ' (about '}{formatUsd(picoUsdAt(rate, msat))}{sentence ? '.' : ')'}</span>
}
