import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { showReceipt } from './receipt-store.ts'
import styles from './receipt-row.module.css'

/** A row of a list that opens its receipt. `className` arranges the content in a grid. */
export function ReceiptRow({
  receiptId,
  className,
  children,
}: {
  receiptId: string
  className: string | undefined
  children: ReactNode
}) {
  return (
    <button
      type="button"
      className={classNames(styles.row, className)}
      onClick={() => showReceipt(receiptId)}
      title={t`Open receipt`}
    >
      {children}
    </button>
  )
}
