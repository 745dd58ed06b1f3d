import type { ReactNode } from 'react'
import type { Answer } from '../data/use-answer.ts'
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

/** A list that loads: gray lines, then the list; after a failure what happened, with a way to try again. */
export function ListState<T>({ answer, loading, children }: ListStateProps<T>) {
  const { data, failure, refresh } = answer
  return (
    <>
      {failure && <FailureNote failure={failure} className={listing.note} onRetry={refresh} />}
      {data === undefined && !failure && <Skeleton label={loading} />}
      {data !== undefined && children(data)}
    </>
  )
}
