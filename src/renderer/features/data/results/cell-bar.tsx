import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Ref } from 'react'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { formatCount } from '../../../ui/format/number.ts'
import { showLink } from '../../../ui/link-store.ts'
import { webAddress } from '../../../ui/web-address.ts'
import styles from './answer-view.module.css'
import { cellText } from './cell-text.ts'

const SHOWN = 4000
const COPIED = 2_000_000
const LONGEST_ADDRESS = 4000

/**
 * The whole selected value of the table or the tree, to copy. A web address can also be opened, after Sotto
 * shows it.
 */
export function CellBar({ name, value, ref }: { name: string; value: unknown; ref?: Ref<HTMLDivElement> }) {
  const text = cellText(value, COPIED)
  const address =
    typeof value === 'string' && value.length <= LONGEST_ADDRESS ? webAddress(value.trim()) : undefined
  return (
    <div ref={ref} className={styles.bar} role="group" aria-label={t`Selected value`} data-testid="cell-bar">
      <p className={styles.barName}>{name.slice(0, 200)}</p>
      <p className={styles.barText} tabIndex={0}>
        {text === '' ? (
          <span className={styles.quiet}>
            <Trans>empty</Trans>
          </span>
        ) : (
          text.slice(0, SHOWN)
        )}
        {text.length > SHOWN && '…'}
      </p>
      <div className={styles.barActions}>
        {text.length > SHOWN && (
          <span className={styles.quiet}>
            <Trans>
              First {formatCount(SHOWN)} of {formatCount(text.length)} characters
            </Trans>
          </span>
        )}
        {text !== '' && <CopyButton label={t`Copy selected value`} text={() => text} />}
        {address !== undefined && (
          <Button
            onClick={() => showLink(address, msg`This link comes from data that the service returned.`)}
          >
            <Trans>Open link…</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}
