import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { DataEndpoint } from '../../../../shared/contract/purchases.ts'
import { useScopedState } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { formatPrice } from '../../../ui/format/money.ts'
import askLine from '../../../ui/jobs/ask-line.module.css'
import { AskLine } from '../../../ui/jobs/ask-line.tsx'
import { useJobs } from '../../../ui/jobs/jobs-store.ts'
import { AnsweredJob } from '../results/answered-job.tsx'
import { AskedBefore } from './asked-before.tsx'
import { catalogue, chooseEndpoint, setDraft, showAnswer } from './catalogue-store.ts'
import { asText } from './examples.ts'
import { endpointName } from './group-endpoints.ts'
import { askOf, firstDraft } from './lookup-draft.ts'
import { LookupForm } from './lookup-form.tsx'
import styles from './catalogue.module.css'

/**
 * One lookup: its request, its price and its answer. `endpoint` is absent if the service no longer lists the
 * lookup.
 */
export function LookupPage({ id, endpoint }: { id: string; endpoint: DataEndpoint | undefined }) {
  const title = useRef<HTMLHeadingElement>(null)
  const results = useRef<HTMLDivElement>(null)
  const { drafts, jobId } = useScopedState(catalogue)
  const job = useJobs()[jobId ?? '']
  const target = endpoint ?? targetOf(id)
  const draft = drafts[id] ?? firstDraft(target)
  const { ask, faults, missing } = askOf(target, draft)
  useEffect(() => {
    title.current?.focus()
  }, [])
  return (
    <div className={styles.tab}>
      <p>
        <Button onClick={() => chooseEndpoint(undefined)}>
          <ArrowLeft size={15} strokeWidth={1.75} aria-hidden />
          <Trans>Back to lookups</Trans>
        </Button>
      </p>
      <header className={styles.lookupHead}>
        <h2 ref={title} tabIndex={-1}>
          {endpointName(target)}
        </h2>
        <code className={styles.path}>
          {target.method} /v1/data{target.path}
        </code>
        {endpoint?.description !== undefined && endpoint.description !== '' && (
          <p className={styles.description}>{endpoint.description}</p>
        )}
        <p className={styles.quiet}>
          {endpoint ? priceSentence(endpoint) : <Trans>The service no longer lists this lookup.</Trans>}
        </p>
      </header>
      <div className={styles.lookup} data-sides={endpoint !== undefined}>
        {endpoint && (
          <div className={styles.request}>
            <LookupForm
              target={endpoint}
              draft={draft}
              faults={faults}
              onDraft={(next) => setDraft(id, next)}
            />
            <div className={askLine.sticky}>
              <AskLine
                ask={ask}
                missing={missing}
                single
                send={t`Run lookup`}
                onStarted={(started) => {
                  showAnswer(started.id, endpoint)
                  requestAnimationFrame(() => results.current?.scrollIntoView({ block: 'nearest' }))
                }}
              />
            </div>
          </div>
        )}
        <div className={styles.results}>
          <div ref={results}>
            {job && (
              <AnsweredJob
                key={job.id}
                job={job}
                actions={
                  endpoint &&
                  job.ask.kind === 'data' && (
                    <Button
                      onClick={() => {
                        if (job.ask.kind === 'data')
                          setDraft(id, { ...draft, mode: 'json', json: asText(job.ask.input) })
                      }}
                    >
                      <Trans>Reuse request</Trans>
                    </Button>
                  )
                }
              />
            )}
          </div>
          <AskedBefore label={t`Past runs of this lookup`} path={target.path} except={jobId} />
        </div>
      </div>
    </div>
  )
}

function priceSentence({ price }: DataEndpoint): string {
  return price === undefined ? t`No listed price.` : t`${formatPrice(price)} per call.`
}

function targetOf(id: string): Pick<DataEndpoint, 'method' | 'path'> {
  const [method, path = ''] = id.split(' ')
  return { method: method === 'GET' ? 'GET' : 'POST', path }
}
