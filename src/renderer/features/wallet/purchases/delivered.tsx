import { Plural, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Purchase } from '../../../../shared/purchase.ts'
import { Button } from '../../../ui/button.tsx'
import { formatBytes } from '../../../ui/format/number.ts'
import { DeliveredAnswer } from './delivered-answer.tsx'
import { DeliveredFile } from './delivered-file.tsx'
import { useFreshResults } from './purchase-store.ts'
import styles from './purchases.module.css'

/** The delivered files. They are saved encrypted on this computer, and decrypted when the user asks for them. */
export function Delivered({ purchase }: { purchase: Purchase }) {
  const fresh = useFreshResults((ids) => ids.has(purchase.id))
  const [asked, setAsked] = useState(false)
  const { files, endpoint } = purchase
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (!fresh && !asked) {
    return (
      <div className={styles.actions}>
        <Button onClick={() => setAsked(true)}>
          <Trans>Show result</Trans>
        </Button>
        {files.length > 0 && (
          <span className={styles.hint}>
            <Plural value={files.length} one="# file" other="# files" />, {formatBytes(bytes)}
          </span>
        )}
      </div>
    )
  }
  return (
    <div className={styles.fields}>
      {files.map(({ index }, place) => (
        <DeliveredFile key={index} purchase={purchase} index={index} place={place} />
      ))}
      {(endpoint === 'data' || files.length === 0) && <DeliveredAnswer purchase={purchase} />}
    </div>
  )
}
