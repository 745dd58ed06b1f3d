import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useId, useRef } from 'react'
import type { DataEndpoint } from '../../../../shared/contract/purchases.ts'
import { useScopedState } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Field } from '../../../ui/field.tsx'
import { formatPrice } from '../../../ui/format/money.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { catalogue, chooseEndpoint, searchEndpoints } from './catalogue-store.ts'
import { endpointName, grouped, idOf, type EndpointGroup } from './group-endpoints.ts'
import styles from './catalogue.module.css'

/** The lookup that the user last left. It gets the keyboard focus. */
let left: string | undefined

/** The service's lookups by group, each with its price. */
export function EndpointList({
  endpoints,
  busy,
  refresh,
}: {
  endpoints: readonly DataEndpoint[]
  busy: boolean
  refresh: () => void
}) {
  const { search } = useScopedState(catalogue)
  const list = useRef<HTMLDivElement>(null)
  const groups = grouped(endpoints, search)
  const found = groups.reduce((sum, group) => sum + group.endpoints.length, 0)
  useEffect(() => {
    if (left === undefined) return
    const row = [...(list.current?.querySelectorAll<HTMLElement>('[data-endpoint]') ?? [])].find(
      ({ dataset }) => dataset['endpoint'] === left,
    )
    left = undefined
    row?.focus()
  }, [])
  return (
    <div ref={list} className={styles.tab}>
      <div className={styles.searchLine}>
        <Field
          label={t`Search lookups`}
          type="search"
          value={search}
          onChange={(event) => searchEndpoints(event.target.value)}
          maxLength={200}
          className={styles.search}
        />
        <p className={styles.quiet} role="status">
          {search.trim() === ''
            ? plural(endpoints.length, { one: '# lookup', other: '# lookups' })
            : t`${formatCount(found)} of ${formatCount(endpoints.length)} found`}
        </p>
        <Button onClick={refresh} busy={busy && t`Loading…`}>
          <Trans>Refresh</Trans>
        </Button>
      </div>
      {groups.length === 0 && (
        <EmptyState title={t`No matches`}>
          <Button onClick={() => searchEndpoints('')}>
            <Trans>Show all lookups</Trans>
          </Button>
        </EmptyState>
      )}
      {groups.map((group) => (
        <Group key={group.id} group={group} />
      ))}
    </div>
  )
}

function Group({ group: { name, endpoints } }: { group: EndpointGroup }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles.group}>
      <h2 id={id} className={styles.groupName}>
        {name}
      </h2>
      <ul className={styles.endpoints}>
        {endpoints.map((endpoint) => (
          <li key={idOf(endpoint)}>
            <Entry endpoint={endpoint} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Entry({ endpoint }: { endpoint: DataEndpoint }) {
  const { method, path, price, description } = endpoint
  const choose = () => {
    left = idOf(endpoint)
    chooseEndpoint(endpoint)
  }
  return (
    <button type="button" className={styles.endpoint} onClick={choose} data-endpoint={idOf(endpoint)}>
      <span className={styles.endpointName}>{endpointName(endpoint)}</span>
      <span className={styles.price}>{price === undefined ? t`no listed price` : formatPrice(price)}</span>
      <code className={styles.path}>
        {method} {path}
      </code>
      {description !== undefined && description !== '' && (
        <span className={styles.description}>{description}</span>
      )}
    </button>
  )
}
