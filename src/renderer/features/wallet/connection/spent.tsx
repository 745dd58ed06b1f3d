import { Trans } from '@lingui/react/macro'
import type { Wallet } from '../../../../shared/wallet.ts'
import { formatSats } from '../../../ui/format/money.ts'
import styles from './connection.module.css'
import { Dollars } from './dollars.tsx'

/** The part of the daily limit that the last 24 hours used. */
export function Spent({
  wallet: {
    spent: { day, held },
    limits: { perDay },
  },
}: {
  wallet: Wallet
}) {
  const whole = BigInt(perDay)
  const part = (msat: string) =>
    whole === 0n ? 0 : Math.min(100, Number((BigInt(msat) * 10_000n) / whole) / 100)
  const spentPart = part(day)
  const [paid, waiting] = [formatSats(day), formatSats(held)]
  return (
    <div className={styles.part}>
      <h3 className={styles.title}>
        <Trans>Last 24 hours</Trans>
      </h3>
      <p className={styles.amount}>
        {held === '0' ? (
          <Trans>
            <strong>{paid}</strong> paid, including fees
            <Dollars msat={day} />
          </Trans>
        ) : (
          <Trans>
            <strong>{paid}</strong> paid, including fees
            <Dollars msat={day} />, and <strong>{waiting}</strong> held until the outcome is known
          </Trans>
        )}
        {whole > 0n && (
          <span className={styles.quiet}>
            <>
              ; <Trans>limit {formatSats(perDay)}</Trans>
            </>
          </span>
        )}
      </p>
      {whole > 0n && (
        <div className={styles.bar} aria-hidden>
          <span className={styles.barSpent} style={{ width: `${spentPart}%` }} />
          <span className={styles.barHeld} style={{ width: `${Math.min(100 - spentPart, part(held))}%` }} />
        </div>
      )}
    </div>
  )
}
