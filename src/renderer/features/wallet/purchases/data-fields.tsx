import { t } from '@lingui/core/macro'
import { ServiceScope } from '../../../data/service-scope.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { EndpointField } from './endpoint-field.tsx'
import type { FieldsProps } from './media-fields.tsx'
import styles from './purchases.module.css'

/** A data endpoint and its request. */
export function DataFields({ draft, faults, set }: FieldsProps) {
  return (
    <div className={styles.fields}>
      <ServiceScope>
        <EndpointField method={draft.method} path={draft.path} fault={faults.path} onChange={set} />
      </ServiceScope>
      <TextAreaField
        label={draft.method === 'GET' ? t`Query parameters (JSON)` : t`Request (JSON)`}
        dir="ltr"
        value={draft.input}
        onChange={(event) => set({ input: event.target.value })}
        rows={6}
        maxLength={1_000_000}
        fault={faults.input}
      />
    </div>
  )
}
