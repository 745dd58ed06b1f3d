import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { parseUsd } from '../../../shared/money.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { formatUsd } from '../../ui/format/money.ts'
import { Section } from '../../ui/view.tsx'
import { lowBalanceQuestion } from './balance-store.ts'
import { LowBalanceDialog } from './low-balance-dialog.tsx'
import styles from './low-balance-section.module.css'

/** The balance below which every view shows an alert. */
export function LowBalanceSection() {
  const below = useAnswer(lowBalanceQuestion).data?.below
  const [changing, setChanging] = useState(false)
  return (
    <Section title={t`Low-balance alert`}>
      <Facts>
        <Fact name={t`Alert`}>
          <span className={styles.bound}>
            <span>
              {below === undefined
                ? t`Unknown`
                : Number(below) === 0
                  ? t`Only when the balance is used up`
                  : t`Below ${formatUsd(String(parseUsd(below) ?? 0n))}`}
            </span>
            {below !== undefined && (
              <Button kind="link" onClick={() => setChanging(true)}>
                <Trans>Change…</Trans>
              </Button>
            )}
          </span>
        </Fact>
      </Facts>
      {changing && below !== undefined && <LowBalanceDialog below={below} close={() => setChanging(false)} />}
    </Section>
  )
}
