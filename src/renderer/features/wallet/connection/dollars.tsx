import { t } from '@lingui/core/macro'
import { useAnswer } from '../../../data/use-answer.ts'
import { formatUsd } from '../../../ui/format/money.ts'
import { picoUsdAt } from '../../../ui/format/sats.ts'
import styles from './connection.module.css'
import { walletQuestion } from './wallet-store.ts'

/**
 * The value of sats in dollars, if a top-up in dollars reported the rate within a day. `sentence`: as a full
 * sentence.
 */
export function Dollars({ msat, sentence = false }: { msat: string; sentence?: boolean }) {
  const rate = useAnswer(walletQuestion, { once: true }).data?.rate
  if (!rate || BigInt(msat) === 0n) return null
  const about = formatUsd(picoUsdAt(rate.picoUsdPerSat, msat))
  return (
    <span className={styles.quiet} title={t`At the rate of your last Lightning top-up in dollars`}>
      {' '}
      {sentence ? t`About ${about}.` : t`(about ${about})`}
    </span>
  )
}
