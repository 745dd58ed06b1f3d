import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ArrowUp } from 'lucide-react'
import { memo, useEffect, useRef, useState, type UIEvent } from 'react'
import { Virtualizer } from 'virtua'
import type { LocalRequest } from '../../../../shared/local-key.ts'
import { privacyWords } from '../../../../shared/privacy.ts'
import { useScopedState } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { ReceiptRow } from '../../../ui/receipt-row.tsx'
import { RequestCells, RequestColumns } from '../../../ui/request-cells.tsx'
import columns from '../../../ui/request-cells.module.css'
import { useLanguage } from '../../../ui/language/language.ts'
import { privacyWord } from '../../../ui/privacy-mark.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { localKeys, localWatch } from '../local-api-store.ts'
import type { RequestFilter } from './request-feed.ts'
import styles from './request-list.module.css'
import { localRequests, olderRequests, readRequests } from './request-store.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'

/** Within this many pixels of the end, the list fetches older requests. */
const NEAR_END = 600

/** The requests of local keys, newest first, live. A line contains no text of a request or an answer. */
export function RequestList() {
  const { feed, failure } = useScopedState(localRequests)
  const { following } = useScopedState(localWatch)
  useEffect(() => void readRequests({}), [])
  return (
    <section aria-label={t`Requests`}>
      <div className={styles.head}>
        <Filters filter={feed.filter} />
        {feed.lines && (
          <p className={styles.live} data-following={following}>
            {following ? t`Updating live.` : t`Live updates are paused. This list may be out of date.`}
          </p>
        )}
      </div>
      {failure && (
        <FailureNote
          failure={failure}
          className={styles.note}
          onRetry={() => void readRequests(feed.filter)}
        />
      )}
      {!feed.lines && !failure && <Skeleton label={t`Loading requests…`} />}
      {feed.lines?.length === 0 && <Nothing filter={feed.filter} />}
      {feed.lines && feed.lines.length > 0 && <Lines />}
      <p className={styles.quiet}>
        <Trans>
          Requests that tools sent with local keys. The list contains no prompts or replies. Select a request
          to open its receipt.
        </Trans>
      </p>
    </section>
  )
}

function Filters({ filter }: { filter: RequestFilter }) {
  const keys = useScopedState(localKeys) ?? []
  const { keyId, privacy } = filter
  const choose = (change: { keyId?: string; privacy?: string }) => {
    const key = 'keyId' in change ? change.keyId : keyId
    const word = privacyWords.find((each) => each === ('privacy' in change ? change.privacy : privacy))
    void readRequests({ ...(key && { keyId: key }), ...(word && { privacy: word }) })
  }
  return (
    <div className={styles.filters}>
      <SelectField
        label={t`Tool`}
        value={keyId ?? ''}
        onChange={(event) => choose({ keyId: event.target.value })}
      >
        <option value="">{t`All tools`}</option>
        {keys.map(({ id, name, state }) => (
          <option key={id} value={id}>
            {state === 'revoked' ? t`${name} (revoked)` : name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t`Privacy`}
        value={privacy ?? ''}
        onChange={(event) => choose({ privacy: event.target.value })}
      >
        <option value="">{t`Any`}</option>
        {privacyWords.map((word) => (
          <option key={word} value={word}>
            {privacyWord[word]}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

function Nothing({ filter }: { filter: RequestFilter }) {
  const filtered = filter.keyId !== undefined || filter.privacy !== undefined
  return (
    <EmptyState title={filtered ? t`No matching requests` : t`No requests from tools yet`}>
      {filtered && (
        <Button onClick={() => void readRequests({})}>
          <Trans>Show all requests</Trans>
        </Button>
      )}
    </EmptyState>
  )
}

/**
 * Only the lines near the view are in the page. New requests don't move the lines of a reader who scrolled
 * down.
 */
function Lines() {
  const { feed, busy } = useScopedState(localRequests)
  const scroller = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState<string>()
  const lines = feed.lines ?? []
  const newest = lines[0]?.id
  // The newest line when the reader left the top; undefined at the top.
  const fresh =
    seen === undefined
      ? 0
      : Math.max(
          0,
          lines.findIndex(({ id }) => id === seen),
        )
  const scrolled = ({
    currentTarget: { scrollTop, scrollHeight, clientHeight },
  }: UIEvent<HTMLDivElement>) => {
    if (scrollTop < 1) setSeen(undefined)
    else if (seen === undefined) setSeen(newest)
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) void olderRequests()
  }
  return (
    <div className={styles.frame}>
      <RequestColumns />
      <div
        className={styles.scroller}
        ref={scroller}
        onScroll={scrolled}
        role="region"
        aria-label={t`Request list`}
        tabIndex={0}
      >
        <Virtualizer
          scrollRef={scroller}
          data={lines}
          as="ul"
          item="li"
          shift={seen !== undefined && feed.grew === 'start'}
        >
          {(request) => <RequestRow key={request.id} request={request} />}
        </Virtualizer>
        {feed.next !== null && (
          <p className={styles.older}>
            <Button onClick={() => void olderRequests()} busy={busy && t`Loading more…`}>
              <Trans>Load older requests</Trans>
            </Button>
          </p>
        )}
      </div>
      {fresh > 0 && (
        <button type="button" className={styles.fresh} onClick={() => scroller.current?.scrollTo({ top: 0 })}>
          <ArrowUp size={15} strokeWidth={1.75} aria-hidden />
          {plural(fresh, { one: '# new request', other: '# new requests' })}
        </button>
      )}
    </div>
  )
}

/** A request, which opens its receipt. */
const RequestRow = memo(function RequestRow({ request }: { request: LocalRequest }) {
  useLanguage()
  return (
    <ReceiptRow receiptId={request.id} className={columns.row}>
      <RequestCells request={request} />
    </ReceiptRow>
  )
})
