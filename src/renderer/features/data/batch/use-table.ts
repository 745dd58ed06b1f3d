import { useEffect, useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { GivenFile } from '../../../../shared/job-ask.ts'
import type { CsvTable } from '../../../../shared/job-rows.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'

export interface CsvReading {
  readonly header: boolean
  /** The core detects the delimiter if it is absent. */
  readonly delimiter?: CsvTable['delimiter']
}

export type TableState =
  | { readonly state: 'none' }
  | { readonly state: 'reading' }
  | { readonly state: 'read'; readonly table: CsvTable }
  | { readonly state: 'failed'; readonly failure: Failure }

/**
 * The core's reading of the given file as a table. The core reads the whole file, so that faults appear
 * before anything is sent.
 *
 * @param content the file's content: if the same content is uploaded again, its reading stays
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
