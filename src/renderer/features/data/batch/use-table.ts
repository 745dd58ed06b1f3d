import { useEffect, useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { GivenFile } from '../../../../shared/job-ask.ts'
import type { CsvTable } from '../../../../shared/job-rows.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'

export interface CsvReading {
  readonly header: boolean
  /** Found out by the core where it is absent. */
  readonly delimiter?: CsvTable['delimiter']
}

export type TableState =
  | { readonly state: 'none' }
  | { readonly state: 'reading' }
  | { readonly state: 'read'; readonly table: CsvTable }
  | { readonly state: 'failed'; readonly failure: Failure }

/**
 * How a file that was given would be read as a table: all of it is, by the core, so that what is wrong is said before anything is sent.
 *
 * @param content what was handed over: where it is handed over anew, what is known of it stays
 */
export function useTable(
  file: GivenFile | undefined,
  { header, delimiter }: CsvReading,
  content?: File,
): TableState {
  const how = JSON.stringify([header, delimiter])
  const asked = file === undefined ? undefined : JSON.stringify([file, how])
  const [found, setFound] = useState<{
    readonly asked: string
    readonly how: string
    readonly content: File | undefined
    readonly state: TableState
  }>()
  useEffect(() => {
    if (file === undefined || asked === undefined) return
    const left = new AbortController()
    api.studio
      .table({ file, header, ...(delimiter !== undefined && { delimiter }) }, { signal: left.signal })
      .then(
        (table) => {
          if (!left.signal.aborted) setFound({ asked, how, content, state: { state: 'read', table } })
        },
        (thrown: unknown) => {
          if (!left.signal.aborted)
            setFound({ asked, how, content, state: { state: 'failed', failure: asFailure(thrown) } })
        },
      )
    return () => left.abort()
  }, [asked, how, content, file, header, delimiter])
  if (asked === undefined) return { state: 'none' }
  const same =
    found?.asked === asked || (content !== undefined && found?.content === content && found.how === how)
  return found && same ? found.state : { state: 'reading' }
}
