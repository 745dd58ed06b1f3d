import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Answer } from '../data/use-answer.ts'
import { Button } from '../ui/button.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import listing from '../ui/listing.module.css'
import { Skeleton } from '../ui/skeleton.tsx'

interface ListStateProps<T> {
  answer: Pick<Answer<T>, 'data' | 'failure' | 'refresh'>
  /** What loads: "Loading members…". */
  loading: string
  /** Shows the last answer, also below a failure. */
  children: (data: T) => ReactNode
}

/** Why something couldn't be loaded, with a way to try again. */
export function LoadFailure({
  answer: { failure, refresh },
}: {
  answer: Pick<Answer<unknown>, 'failure' | 'refresh'>
}) {
  return (
    failure && (
      <FailureNote failure={failure} className={listing.note}>
        <Button onClick={refresh}>
          <Trans>Try again</Trans>
        </Button>
      </FailureNote>
    )
  )
}

/** A list that loads: gray lines, then the list; after a failure what happened, with a way to try again. */
export function ListState<T>({ answer: { data, failure, refresh }, loading, children }: ListStateProps<T>) {
  return (
    <>
      <LoadFailure answer={{ failure, refresh }} />
      {data === undefined && !failure && <Skeleton label={loading} />}
      {data !== undefined && children(data)}
    </>
  )
}
