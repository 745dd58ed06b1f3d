import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Purchase } from '../../../../shared/purchase.ts'
import { useAnswer } from '../../../data/use-answer.ts'
import { api } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatCount } from '../../../ui/format/number.ts'
import { saveText } from '../../../ui/save-file.ts'
import { fileNameOf } from './media-type.ts'
import styles from './purchases.module.css'
import { Skeleton } from '../../../ui/skeleton.tsx'

/** More of it makes a page slow; the file that is saved has all. */
const SHOWN = 20_000

/** The service's answer as text: it is never read as anything else. */
export function DeliveredAnswer({ purchase: { id, subject, at } }: { purchase: Purchase }) {
  const { data, failure } = useAnswer(
    {
      key: ['purchase-result', id],
      ask: (context) => api.purchases.answer({ purchaseId: id }, context),
    },
    { transient: true },
  )
  if (failure) return <FailureNote failure={failure} />
  if (!data) return <Skeleton label={t`Loading…`} />
  const { text } = data
  return (
    <figure className={styles.answer}>
      <pre tabIndex={0} role="region" aria-label={t`Reply`}>
        <code>{text.slice(0, SHOWN)}</code>
      </pre>
      {text.length > SHOWN && (
        <figcaption className={styles.hint}>
          <Trans>
            First {formatCount(SHOWN)} of {formatCount(text.length)} characters. Save the file to get all of
            them.
          </Trans>
        </figcaption>
      )}
      <div className={styles.actions}>
        <Button
          onClick={() => saveText(fileNameOf(subject, at, 0, 'application/json'), 'application/json', text)}
        >
          <Trans>Save…</Trans>
        </Button>
        <CopyButton label={t`Copy result`} word text={() => text} />
      </div>
    </figure>
  )
}
