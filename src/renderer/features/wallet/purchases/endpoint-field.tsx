import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { DataEndpoint } from '../../../../shared/contract/purchases.ts'
import { Field } from '../../../ui/field.tsx'
import { formatPrice } from '../../../ui/format/money.ts'
import { isolate } from '../../../ui/language/language.ts'
import { SelectField } from '../../../ui/select.tsx'
import type { PurchaseDraft } from './purchase-draft.ts'
import { useDataEndpoints } from './purchase-store.ts'
import styles from './purchases.module.css'

const OTHER = '\u0000other'

type Target = Pick<PurchaseDraft, 'method' | 'path'>

interface EndpointFieldProps extends Target {
  fault: string | undefined
  onChange: (target: Partial<Target>) => void
}

/** A data endpoint from the service's listing, with its price, or one typed by its method and path. */
export function EndpointField({ method, path, fault, onChange }: EndpointFieldProps) {
  const endpoints = useDataEndpoints()
  const [typed, setTyped] = useState(false)
  if (!endpoints)
    return (
      <SelectField label={t`Data`} disabled>
        <option>{t`Loading…`}</option>
      </SelectField>
    )
  const types = typed || endpoints.length === 0
  const chosen = endpoints.find((each) => idOf(each) === idOf({ method, path }))
  const choose = (id: string) => {
    const endpoint = endpoints.find((each) => idOf(each) === id)
    setTyped(!endpoint)
    onChange(endpoint ? { method: endpoint.method, path: endpoint.path } : { path: '/api/' })
  }
  return (
    <div className={styles.fields}>
      {endpoints.length > 0 && (
        <SelectField
          label={t`Data`}
          value={types ? OTHER : chosen ? idOf(chosen) : ''}
          onChange={(event) => choose(event.target.value)}
          fault={types || fault === undefined ? undefined : t`Choose a lookup.`}
          hint={!types && chosen ? hintOf(chosen) : undefined}
        >
          {!types && !chosen && <option value="" disabled>{t`Choose a lookup`}</option>}
          {[...Map.groupBy(endpoints, ({ group = t`Other` }) => group)].map(([group, members]) => (
            <optgroup key={group} label={group}>
              {members.map((each) => (
                <option key={idOf(each)} value={idOf(each)}>
                  {isolate(each.name === undefined ? each.path : `${each.name} (${each.path})`)}
                  {each.price === undefined ? t`, no list price` : t`, list price ${formatPrice(each.price)}`}
                </option>
              ))}
            </optgroup>
          ))}
          <option value={OTHER}>{t`Enter a path…`}</option>
        </SelectField>
      )}
      {types && (
        <div className={styles.target}>
          <SelectField
            label={t`Method`}
            value={method}
            onChange={(event) => onChange({ method: event.target.value === 'GET' ? 'GET' : 'POST' })}
          >
            <option>POST</option>
            <option>GET</option>
          </SelectField>
          <Field
            label={t`Path under /v1/data`}
            dir="ltr"
            value={path}
            onChange={(event) => onChange({ path: event.target.value })}
            maxLength={300}
            fault={fault}
            hint={t`A path from the service’s data catalog, such as /api/websearch/search.`}
          />
        </div>
      )}
    </div>
  )
}

function idOf({ method, path }: Target): string {
  return `${method} ${path}`
}

/** The service's own description of the endpoint, which is unverified. */
function hintOf({ description = '' }: DataEndpoint): string {
  const label = description.length > 300 ? `${description.slice(0, 300)}…` : description
  return label === '' ? t`The service defines its parameters.` : t`Description from the service: “${label}”`
}
