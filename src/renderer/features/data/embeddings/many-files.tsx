import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import { MAX_TEXT_FILES, type GivenFile } from '../../../../shared/job-ask.ts'
import { Button } from '../../../ui/button.tsx'
import { DropZone } from '../../../ui/drop-zone.tsx'
import { asFailure } from '../../../ui/failure.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { uploadFile } from '../../../ui/jobs/upload.ts'
import styles from './embeddings.module.css'

const REFRESH_MS = 9 * 60_000

export interface ManyFiles {
  readonly files: readonly GivenFile[]
  readonly names: readonly string[]
}

/** Several files, each a text: handed to the core on this machine one after another. */
export function ManyFilesField({
  chosen,
  onChosen,
}: {
  chosen: ManyFiles | undefined
  onChosen: (chosen: ManyFiles | undefined) => void
}) {
  const [picked, setPicked] = useState<readonly File[]>([])
  const [turn, setTurn] = useState(0)
  const [state, setState] = useState<{ readonly done: number } | Failure | undefined>()
  useEffect(() => {
    if (picked.length === 0) return
    const left = new AbortController()
    const { signal } = left
    let refresh: ReturnType<typeof setTimeout> | undefined
    const hand = async () => {
      const files: GivenFile[] = []
      for (const file of picked) {
        setState({ done: files.length })
        const { uploadId } = await uploadFile(file, { signal, onProgress: () => undefined })
        signal.throwIfAborted()
        files.push({ uploadId })
      }
      setState(undefined)
      onChosen({ files, names: picked.map(({ name }) => name) })
      refresh = setTimeout(() => setTurn((before) => before + 1), REFRESH_MS)
    }
    hand().catch((thrown: unknown) => {
      if (!signal.aborted) setState(asFailure(thrown))
    })
    return () => {
      left.abort()
      clearTimeout(refresh)
    }
  }, [picked, turn, onChosen])
  const clear = () => {
    setPicked([])
    setState(undefined)
    onChosen(undefined)
  }
  const done = state && 'done' in state ? state.done : undefined
  const count = chosen?.names.length ?? 0
  return (
    <DropZone
      label={t`Text files`}
      accept=".txt,.md,.csv,.json,.html,.xml,text/*"
      takes="files"
      hint={t`Each file is one text in UTF-8 or UTF-16. Up to ${MAX_TEXT_FILES} at a time.`}
      onFiles={(files) => {
        onChosen(undefined)
        setPicked(files.slice(0, MAX_TEXT_FILES))
      }}
    >
      {({ choose }) => (
        <>
          <div className={styles.actions}>
            <Button onClick={choose}>
              <Trans>Choose files…</Trans>
            </Button>
            {(picked.length > 0 || count > 0) && (
              <Button onClick={clear}>
                <Trans>Remove files</Trans>
              </Button>
            )}
            {done !== undefined && (
              <span className={styles.quiet} role="status">{t`Adding ${done + 1} of ${picked.length}…`}</span>
            )}
            {count > 0 && done === undefined && (
              <span className={styles.quiet} role="status">
                {plural(count, { one: '# file added', other: '# files added' })}
              </span>
            )}
          </div>
          {state && 'code' in state && <FailureNote failure={state} />}
        </>
      )}
    </DropZone>
  )
}
