import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { useService } from '../../../ui/status-store.ts'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { EndpointField } from './endpoint-field.tsx'
import type { FieldsProps } from './media-fields.tsx'
import { loadDataEndpoints, usePurchases } from './purchase-store.ts'
import styles from './purchases.module.css'

/** One of the data endpoints, with what it is asked. */
export function DataFields({ draft, faults, set }: FieldsProps) {
  const service = useService()
  const endpoints = usePurchases((state) => state.dataEndpoints)
  useEffect(() => {
    void loadDataEndpoints()
  }, [service])
  return (
    <div className={styles.fields}>
      <EndpointField
        endpoints={endpoints}
        method={draft.method}
        path={draft.path}
        fault={faults.path}
        onChange={set}
      />
      <TextAreaField
        label={draft.method === 'GET' ? t`Query parameters (JSON)` : t`Request (JSON)`}
        value={draft.input}
        onChange={(event) => set({ input: event.target.value })}
        rows={6}
        maxLength={1_000_000}
        fault={faults.input}
      />
    </div>
  )
}
